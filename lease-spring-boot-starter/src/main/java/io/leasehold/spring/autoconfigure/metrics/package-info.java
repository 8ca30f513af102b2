/** Auto-configuration of the meters of a lease. */
@NullMarked
package io.leasehold.spring.autoconfigure.metrics;

import org.jspecify.annotations.NullMarked;
