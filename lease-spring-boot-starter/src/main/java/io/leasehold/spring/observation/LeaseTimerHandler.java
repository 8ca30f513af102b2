package io.leasehold.spring.observation;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;

/** Records the observations of leases, and no others, where the application has nothing that records all. */
public final class LeaseTimerHandler extends DefaultMeterObservationHandler {

    /**
     * A handler that has to be added to a registry of observations.
     *
     * @param registry what it records in
     */
    public LeaseTimerHandler(MeterRegistry registry) {
        super(registry);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof LeaseObservationContext;
    }
}
