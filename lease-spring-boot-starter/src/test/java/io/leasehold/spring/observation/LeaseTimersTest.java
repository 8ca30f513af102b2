package io.leasehold.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseOperation;
import io.leasehold.LeaseOutcome;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationRegistry.ObservationConfig;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The timers of observations: there before the first of them, once, and those in which they are recorded. */
class LeaseTimersTest {
    private static final List<String> NAMES =
            List.of("lease.acquire", "lease.start", "lease.renew", "lease.commit", "lease.drain");

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private static void noRules(ObservationConfig config) {
        assertThat(config).isNotNull();
    }

    private static void bind(MeterRegistry registry, Consumer<ObservationConfig> rules) {
        new LeaseTimers(List.of("orders"), null, rules).bindTo(registry);
    }

    private static LeaseObservations recording(MeterRegistry registry, Consumer<ObservationConfig> rules) {
        ObservationRegistry observations = ObservationRegistry.create();
        rules.accept(observations.observationConfig());
        observations.observationConfig().observationHandler(new LeaseTimerHandler(registry));
        return new LeaseObservations(observations, null);
    }

    private static void observeEverything(LeaseObservations observations) {
        for (LeaseOperation operation : LeaseOperation.values()) {
            for (LeaseOutcome outcome : operation.outcomes()) {
                observations.begin(operation, "orders", "host-1", 7).end(outcome, null);
            }
        }
    }

    @Test
    void everyTimerIsThereAtZeroForEveryOutcome() {
        bind(meters, LeaseTimersTest::noRules);
        for (LeaseOperation operation : LeaseOperation.values()) {
            String name = new DefaultLeaseObservationConvention().getName(operation);
            assertThat(meters.get(name).timers())
                    .hasSameSizeAs(operation.outcomes())
                    .allSatisfy(timer -> {
                        assertThat(timer.count()).isZero();
                        assertThat(timer.getId().getDescription()).isNotBlank();
                        assertThat(timer.getId().getTags())
                                .extracting(Tag::getKey)
                                .containsExactly("error", "name", "outcome");
                    });
        }
        assertThat(meters.getMeters())
                .extracting(meter -> meter.getId().getName())
                .hasSameElementsAs(NAMES);
    }

    @Test
    void anObservationIsRecordedInTheTimerThatWasThere() {
        bind(meters, LeaseTimersTest::noRules);
        int before = timers(meters);
        observeEverything(recording(meters, LeaseTimersTest::noRules));
        assertThat(timers(meters)).isEqualTo(before);
        assertThat(meters.get("lease.renew").tag("outcome", "confirmed").timer().count())
                .isOne();
    }

    @Test
    void prometheusAcceptsEveryTimerBeforeAndAfter() {
        prometheus.throwExceptionOnRegistrationFailure();
        bind(prometheus, LeaseTimersTest::noRules);
        assertThat(prometheus.scrape())
                .contains(
                        "lease_renew_seconds_count{error=\"none\",name=\"orders\",outcome=\"confirmed\"} 0",
                        "lease_drain_seconds_count{error=\"none\",name=\"orders\",outcome=\"released\"} 0",
                        "lease_start_seconds_count{error=\"none\",name=\"orders\",outcome=\"started\"} 0",
                        "lease_commit_seconds_count{error=\"none\",name=\"orders\",outcome=\"acknowledged\"} 0",
                        "lease_acquire_seconds_count{error=\"none\",name=\"orders\",outcome=\"acquired\"} 0");
        LeaseObservations observations = recording(prometheus, LeaseTimersTest::noRules);
        observeEverything(observations);
        observations
                .begin(LeaseOperation.START, "orders", "host-1", 8)
                .end(LeaseOutcome.FAILED, new IllegalStateException("the queue is missing"));
        assertThat(prometheus.scrape())
                .contains(
                        "lease_renew_seconds_count{error=\"none\",name=\"orders\",outcome=\"confirmed\"} 1",
                        "lease_start_seconds_count{error=\"IllegalStateException\",name=\"orders\",outcome=\"failed\"} 1");
    }

    @Test
    void aFilterOfTheApplicationAddsItsKeysFromTheBeginning() {
        prometheus.throwExceptionOnRegistrationFailure();
        Consumer<ObservationConfig> region = config ->
                config.observationFilter(context -> context.addLowCardinalityKeyValue(KeyValue.of("region", "north")));
        bind(prometheus, region);
        observeEverything(recording(prometheus, region));
        assertThat(prometheus.scrape())
                .contains(
                        "lease_renew_seconds_count{error=\"none\",name=\"orders\",outcome=\"confirmed\",region=\"north\"} 1");
    }

    @Test
    void whatTheApplicationDoesNotObserveHasNoTimer() {
        bind(meters, config -> config.observationPredicate((name, context) -> !name.equals("lease.renew")));
        assertThat(meters.find("lease.renew").timer()).isNull();
        assertThat(meters.find("lease.drain").timers()).isNotEmpty();
    }

    @Test
    void everyRegistryHasThemAndAGarbageCollectionDoesNotTakeThemAway() {
        bind(meters, LeaseTimersTest::noRules);
        bind(prometheus, LeaseTimersTest::noRules);
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return garbage.get() == null;
        });
        assertThat(timers(prometheus)).isEqualTo(timers(meters)).isPositive();
    }

    private static int timers(MeterRegistry registry) {
        return (int) registry.getMeters().stream()
                .filter(Timer.class::isInstance)
                .map(Meter::getId)
                .count();
    }
}
