/** Auto-configuration of the lease in the actuator's info. */
@NullMarked
package io.leasehold.spring.autoconfigure.info;

import org.jspecify.annotations.NullMarked;
