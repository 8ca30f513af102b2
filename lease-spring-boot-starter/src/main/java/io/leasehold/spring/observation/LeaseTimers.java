package io.leasehold.spring.observation;

import io.leasehold.LeaseOperation;
import io.leasehold.LeaseOutcome;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationRegistry.ObservationConfig;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has the timers of leases' observations there before the first of them, one for each outcome: a rate needs a value to
 * rise from. It records nothing: Micrometer's own handler of observations does, in these very timers. Those that end with an
 * exception have its class as the tag {@code error}, and are there from the first of them on.
 */
public final class LeaseTimers implements MeterBinder {
    private static final String NOBODY = "none";

    private final List<String> leases;
    private final @Nullable LeaseObservationConvention convention;
    private final Consumer<ObservationConfig> rules;

    /**
     * The timers of one or several leases.
     *
     * @param leases their names
     * @param convention how its observations are named and tagged; null for the global convention or the default one
     * @param rules adds the predicates, filters and global conventions of the application's registry, which decide what
     *     timers there are
     */
    public LeaseTimers(
            List<String> leases, @Nullable LeaseObservationConvention convention, Consumer<ObservationConfig> rules) {
        this.leases = List.copyOf(leases);
        this.convention = convention;
        this.rules = rules;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        ObservationRegistry rehearsal = ObservationRegistry.create();
        rules.accept(rehearsal.observationConfig());
        rehearsal.observationConfig().observationHandler(new Registration(registry));
        LeaseObservations observations = new LeaseObservations(rehearsal, convention);
        leases.forEach(lease -> rehearse(observations, lease));
    }

    private static void rehearse(LeaseObservations observations, String lease) {
        for (LeaseOperation operation : LeaseOperation.values()) {
            for (LeaseOutcome outcome : operation.outcomes()) {
                observations.begin(operation, lease, NOBODY, 0).end(outcome, null);
            }
        }
    }

    /** Registers the timer in which an observation would be recorded. */
    private record Registration(MeterRegistry registry) implements ObservationHandler<LeaseObservationContext> {

        @Override
        public void onStop(LeaseObservationContext context) {
            Tags tags = Tags.of("error", "none");
            for (var key : context.getLowCardinalityKeyValues()) {
                tags = tags.and(Tag.of(key.getKey(), key.getValue()));
            }
            Timer.builder(String.valueOf(context.getName()))
                    .description(description(context.getOperation()))
                    .tags(tags)
                    .register(registry);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof LeaseObservationContext;
        }

        private static String description(LeaseOperation operation) {
            return switch (operation) {
                case ACQUIRE -> "Claims of the lease, from the write until the term begins";
                case START -> "Starts of the listeners at the beginning of a term";
                case RENEW -> "Attempts to renew the lease";
                case COMMIT -> "Writes of the state, each for one or several commits";
                case DRAIN -> "Ends of terms, from the surrender until the release or the deadline";
            };
        }
    }
}
