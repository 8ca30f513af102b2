/** Auto-configuration of the observations of a lease. */
@NullMarked
package io.leasehold.spring.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
