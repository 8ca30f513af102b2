/** The lease in the actuator's info. */
@NullMarked
package io.leasehold.spring.info;

import org.jspecify.annotations.NullMarked;
