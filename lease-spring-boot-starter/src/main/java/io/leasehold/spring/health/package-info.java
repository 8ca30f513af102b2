/** The health of a lease. */
@NullMarked
package io.leasehold.spring.health;

import org.jspecify.annotations.NullMarked;
