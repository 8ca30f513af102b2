/** What a lease does, as observations of Micrometer: for timers and for traces. */
@NullMarked
package io.leasehold.spring.observation;

import org.jspecify.annotations.NullMarked;
