/** The meters of a lease. */
@NullMarked
package io.leasehold.spring.metrics;

import org.jspecify.annotations.NullMarked;
