/** Auto-configuration of the health of a lease. */
@NullMarked
package io.leasehold.spring.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
