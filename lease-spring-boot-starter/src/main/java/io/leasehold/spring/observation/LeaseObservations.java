package io.leasehold.spring.observation;

import io.leasehold.LeaseObserver;
import io.leasehold.LeaseOperation;
import io.leasehold.LeaseOutcome;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Makes an observation of each operation of a lease. One object serves any number of leases. Safe for use by several
 * threads.
 *
 * <p>An operation is the current observation of a thread while that thread works on it, so that what a listener's start or a
 * store's write does in turn is part of it; a drain is waited for by no thread. A commit is written for several callers at
 * once, and no part of what any of them is doing.
 */
public final class LeaseObservations implements LeaseObserver {
    private static final LeaseObservationConvention DEFAULT = new DefaultLeaseObservationConvention();

    private final ObservationRegistry registry;
    private final @Nullable LeaseObservationConvention convention;

    /**
     * Observations that nobody makes yet: a lease has to be told of its observer.
     *
     * @param registry what they are made in
     * @param convention how they are named and tagged; null for the registry's global convention or the default one
     */
    public LeaseObservations(ObservationRegistry registry, @Nullable LeaseObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    @Override
    public Observed begin(LeaseOperation operation, String lease, String holder, long epoch) {
        LeaseObservationContext context = new LeaseObservationContext(operation, lease, holder, epoch);
        ObservationConvention<LeaseObservationContext> custom =
                convention == null ? null : new NamedConvention(convention, operation);
        return new Begun(
                context, Observation.start(custom, new NamedConvention(DEFAULT, operation), () -> context, registry));
    }

    private record Begun(LeaseObservationContext context, Observation observation) implements Observed {

        @Override
        public Scope enter() {
            return observation.openScope()::close;
        }

        @Override
        public void end(LeaseOutcome outcome, @Nullable Throwable failure) {
            context.setOutcome(outcome);
            if (failure != null) {
                observation.error(failure);
            }
            observation.stop();
        }
    }
}
