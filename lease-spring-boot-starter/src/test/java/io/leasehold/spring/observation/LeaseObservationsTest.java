package io.leasehold.spring.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.Lease;
import io.leasehold.LeaseListener;
import io.leasehold.LeaseOperation;
import io.leasehold.LeaseOutcome;
import io.leasehold.LeaseSettings;
import io.leasehold.SurrenderReason;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaseObservationsTest {
    private final TestObservationRegistry registry = TestObservationRegistry.create();
    private final Recorder recorder = new Recorder();
    private final LeaderLease lease = new LeaderLease(
            LeaseSettings.builder("orders")
                    .ttl(Duration.ofSeconds(20))
                    .renewInterval(Duration.ofMillis(150))
                    .build(),
            new MemoryLeaseStore(),
            new MemoryStateStore());

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        registry.observationConfig().observationHandler(recorder);
    }

    @AfterEach
    void close() {
        lease.close();
        Awaitility.reset();
    }

    @Test
    void everyOperationOfATermIsAnObservationWithItsOutcome() {
        lease.addObserver(new LeaseObservations(registry, null));
        lease.start();
        await().until(lease::isHeld);
        lease.state().commit("key", "value");
        await().until(() -> recorder.outcomes("lease.renew").contains("confirmed"));
        lease.stepDown();
        await().until(() -> !recorder.outcomes("lease.drain").isEmpty());

        assertThat(recorder.outcomes("lease.acquire")).containsExactly("acquired");
        assertThat(recorder.outcomes("lease.start")).containsExactly("started");
        assertThat(recorder.outcomes("lease.commit")).containsExactly("acknowledged");
        assertThat(recorder.outcomes("lease.renew")).containsOnly("confirmed");
        assertThat(recorder.outcomes("lease.drain")).containsExactly("released");
    }

    @Test
    void aSpanNamesTheOperationTheLeaseTheEpochAndTheHolder() {
        lease.addObserver(new LeaseObservations(registry, null));
        lease.start();
        await().until(() -> !recorder.outcomes("lease.start").isEmpty());

        Observation.Context start = recorder.stopped("lease.start").get(0);
        assertThat(start.getContextualName()).isEqualTo("start orders");
        assertThat(start.getLowCardinalityKeyValues()).isEqualTo(KeyValues.of("name", "orders", "outcome", "started"));
        assertThat(start.getHighCardinalityKeyValues())
                .isEqualTo(KeyValues.of("epoch", "1", "holder", lease.status().holder()));
    }

    @Test
    void whatAListenerDoesWhileItStartsIsPartOfTheStart() {
        CompletableFuture<String> current = new CompletableFuture<>();
        lease.addListener(new LeaseListener() {
            @Override
            public void onAcquired(Lease begun) {
                Observation observation = registry.getCurrentObservation();
                current.complete(
                        observation == null
                                ? "none"
                                : observation.getContextView().getName());
            }

            @Override
            public void onSurrendered(Lease ending, SurrenderReason reason) {
                assertThat(registry.getCurrentObservation()).isNull();
            }
        });
        lease.addObserver(new LeaseObservations(registry, null));
        lease.start();
        await().until(current::isDone);
        assertThat(current).isCompletedWithValue("lease.start");
    }

    @Test
    void aFailureIsTheErrorOfItsObservation() {
        IllegalStateException failure = new IllegalStateException("the queue is missing");
        LeaseObservations observations = new LeaseObservations(registry, null);
        observations.begin(LeaseOperation.START, "orders", "host-1", 7).end(LeaseOutcome.FAILED, failure);
        assertThat(recorder.stopped("lease.start").get(0).getError()).isSameAs(failure);
    }

    @Test
    void aConventionOfTheApplicationReplacesTheDefaultOne() {
        LeaseObservations observations = new LeaseObservations(registry, new DefaultLeaseObservationConvention() {
            @Override
            public String getName(LeaseOperation operation) {
                return "shop." + super.getName(operation);
            }

            @Override
            public KeyValues getLowCardinalityKeyValues(LeaseObservationContext context) {
                return super.getLowCardinalityKeyValues(context).and("shop", "north");
            }
        });
        observations.begin(LeaseOperation.RENEW, "orders", "host-1", 7).end(LeaseOutcome.CONFIRMED, null);
        assertThat(recorder.stopped("shop.lease.renew").get(0).getLowCardinalityKeyValues())
                .isEqualTo(KeyValues.of("name", "orders", "outcome", "confirmed", "shop", "north"));
    }

    @Test
    void aGlobalConventionReplacesTheDefaultOneToo() {
        registry.observationConfig().observationConvention(new Global());
        LeaseObservations observations = new LeaseObservations(registry, null);
        observations.begin(LeaseOperation.RENEW, "orders", "host-1", 7).end(LeaseOutcome.CONFIRMED, null);
        assertThat(recorder.stopped("global")).hasSize(1);
    }

    private static final class Global implements GlobalObservationConvention<LeaseObservationContext> {
        @Override
        public String getName() {
            return "global";
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof LeaseObservationContext;
        }
    }

    /** What has stopped, as a handler of traces sees it. */
    private static final class Recorder implements ObservationHandler<Observation.Context> {
        private final List<Map.Entry<String, Observation.Context>> stopped = new CopyOnWriteArrayList<>();

        @Override
        public void onStop(Observation.Context context) {
            stopped.add(Map.entry(String.valueOf(context.getName()), context));
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }

        List<Observation.Context> stopped(String name) {
            return stopped.stream()
                    .filter(entry -> entry.getKey().equals(name))
                    .map(Map.Entry::getValue)
                    .toList();
        }

        List<String> outcomes(String name) {
            return stopped(name).stream()
                    .flatMap(context -> context.getLowCardinalityKeyValues().stream())
                    .filter(key -> key.getKey().equals("outcome"))
                    .map(KeyValue::getValue)
                    .toList();
        }
    }
}
