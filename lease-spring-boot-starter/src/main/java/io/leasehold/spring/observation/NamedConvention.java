package io.leasehold.spring.observation;

import io.leasehold.LeaseOperation;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import org.jspecify.annotations.Nullable;

/** A convention for one operation: Micrometer asks for a name without saying of what. */
record NamedConvention(LeaseObservationConvention convention, LeaseOperation operation)
        implements ObservationConvention<LeaseObservationContext> {

    @Override
    public String getName() {
        return convention.getName(operation);
    }

    @Override
    public @Nullable String getContextualName(LeaseObservationContext context) {
        return convention.getContextualName(context);
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LeaseObservationContext context) {
        return convention.getLowCardinalityKeyValues(context);
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LeaseObservationContext context) {
        return convention.getHighCardinalityKeyValues(context);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return convention.supportsContext(context);
    }
}
