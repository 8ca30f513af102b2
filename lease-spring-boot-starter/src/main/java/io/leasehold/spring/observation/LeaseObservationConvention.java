package io.leasehold.spring.observation;

import io.leasehold.LeaseOperation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * How the observations of a lease are named and tagged. A bean of this type replaces {@link
 * DefaultLeaseObservationConvention}, which can be extended.
 *
 * <p>Low-cardinality keys become tags of the timers: their set must be the same for all outcomes, and neither the epoch nor
 * the holder belongs among them.
 */
public interface LeaseObservationConvention extends ObservationConvention<LeaseObservationContext> {

    /**
     * The name of an operation's observation, and of its timer.
     *
     * @param operation the operation
     * @return a name in lower case with dots
     */
    String getName(LeaseOperation operation);

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof LeaseObservationContext;
    }
}
