package io.leasehold.spring.observation;

import io.leasehold.LeaseOperation;
import io.leasehold.LeaseOutcome;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import java.util.Locale;

/**
 * Names such as {@code lease.renew}, tagged with the lease's {@code name} and the {@code outcome}; spans also carry the
 * epoch and the holder.
 */
public class DefaultLeaseObservationConvention implements LeaseObservationConvention {

    /** The convention that counts where there is no other. */
    public DefaultLeaseObservationConvention() {}

    @Override
    public String getName(LeaseOperation operation) {
        return "lease." + text(operation);
    }

    /** Such as {@code renew orders}. */
    @Override
    public String getContextualName(LeaseObservationContext context) {
        return text(context.getOperation()) + " " + context.getLease();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LeaseObservationContext context) {
        LeaseOutcome outcome = context.getOutcome();
        return KeyValues.of(
                KeyValue.of("name", context.getLease()),
                KeyValue.of("outcome", outcome == null ? KeyValue.NONE_VALUE : text(outcome)));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(LeaseObservationContext context) {
        return KeyValues.of(
                KeyValue.of("epoch", Long.toString(context.getEpoch())), KeyValue.of("holder", context.getHolder()));
    }

    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
