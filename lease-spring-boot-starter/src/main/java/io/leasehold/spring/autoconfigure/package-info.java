/** Auto-configuration of a lease, its properties, and what is said when they are wrong. */
@NullMarked
package io.leasehold.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
