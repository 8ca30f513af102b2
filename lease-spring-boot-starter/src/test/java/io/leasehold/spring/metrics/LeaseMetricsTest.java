package io.leasehold.spring.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseCounts.RenewOutcome;
import io.leasehold.LeaseSettings;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.Readme;
import io.leasehold.spring.observation.LeaseTimers;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;

class LeaseMetricsTest {
    private final LeaderLease lease = newLease();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @AfterEach
    void close() {
        lease.close();
    }

    @Test
    void everyMeterIsThereBeforeTheFirstTransition() {
        bind(lease, registry);

        for (String gauge : List.of(
                "lease.renew.unverified",
                "lease.renew.unverified.streak",
                "lease.role",
                "lease.epoch",
                "lease.remaining",
                "lease.since.confirmed",
                "lease.messages.in.flight",
                "lease.listeners.stop.unconfirmed")) {
            assertThat(registry.get(gauge).gauge().value()).as(gauge).isZero();
        }
        assertThat(reasons("lease.renewals", "outcome")).containsExactlyInAnyOrder("confirmed", "unverified", "failed");
        assertThat(reasons("lease.commits", "outcome")).containsExactlyInAnyOrder("acknowledged", "fenced", "unknown");
        assertThat(reasons("lease.transitions", "reason"))
                .containsExactlyInAnyOrder(
                        "acquired",
                        "stepped_down",
                        "closed",
                        "superseded",
                        "unconfirmed",
                        "expired",
                        "fenced",
                        "listener_failed",
                        "state_unavailable");
        for (String counter :
                List.of("lease.messages.refused", "lease.calls.skipped", "lease.listeners.start.failures")) {
            assertThat(registry.get(counter).functionCounter().count())
                    .as(counter)
                    .isZero();
        }
        assertThat(registry.get("lease.handover").functionTimer().count()).isZero();
    }

    @Test
    void theReadmeListsEveryMeterAndNoOther() throws IOException {
        bind(lease, registry);
        new LeaseTimers(List.of("orders"), null, config -> {}).bindTo(registry);
        assertThat(registry.getMeters().stream()
                        .map(meter -> meter.getId().getName())
                        .collect(Collectors.toSet()))
                .isEqualTo(Readme.table("## Metrics").keySet());
    }

    @Test
    void theLeasesNameIsTheOnlyTagBesideOutcomeAndReason() {
        bind(lease, registry);
        assertThat(registry.getMeters()).allSatisfy(meter -> {
            assertThat(meter.getId().getTag("name")).isEqualTo("orders");
            assertThat(meter.getId().getTags()).extracting(Tag::getKey).isSubsetOf("name", "outcome", "reason");
            assertThat(meter.getId().getDescription()).isNotBlank();
        });
    }

    @Test
    void theyFollowATerm() {
        bind(lease, registry);
        lease.start();
        await().until(() -> gauge("lease.role") == 1);
        assertThat(gauge("lease.epoch")).isEqualTo(1);
        assertThat(gauge("lease.remaining")).isPositive().isLessThanOrEqualTo(20);
        await().until(() -> counter("lease.renewals", "outcome", "confirmed") > 0);
        lease.state().commit("key", "value");
        assertThat(counter("lease.commits", "outcome", "acknowledged")).isEqualTo(1);
        assertThat(counter("lease.transitions", "reason", "acquired")).isEqualTo(1);

        lease.stepDown();
        await().until(() -> counter("lease.transitions", "reason", "stepped_down") == 1);
        await().until(() -> gauge("lease.role") == 0 && gauge("lease.remaining") == 0);
        assertThat(gauge("lease.epoch")).isEqualTo(1);
    }

    @Test
    void prometheusSeesTheNamesThatTheAlertsUse() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        bind(lease, prometheus);
        assertThat(prometheus.scrape())
                .contains(
                        "lease_renew_unverified{name=\"orders\"} 0.0",
                        "lease_renew_unverified_streak{name=\"orders\"} 0.0",
                        "lease_role{name=\"orders\"} 0.0",
                        "lease_epoch{name=\"orders\"} 0.0",
                        "lease_remaining_seconds{name=\"orders\"} 0.0",
                        "lease_since_confirmed_seconds{name=\"orders\"} 0.0",
                        "lease_renewals_total{name=\"orders\",outcome=\"confirmed\"} 0.0",
                        "lease_commits_total{name=\"orders\",outcome=\"fenced\"} 0.0",
                        "lease_transitions_total{name=\"orders\",reason=\"listener_failed\"} 0.0",
                        "lease_messages_in_flight{name=\"orders\"} 0.0",
                        "lease_listeners_stop_unconfirmed{name=\"orders\"} 0.0",
                        "lease_listeners_start_failures_total{name=\"orders\"} 0.0",
                        "lease_handover_seconds_count{name=\"orders\"} 0",
                        "lease_handover_seconds_sum{name=\"orders\"} 0.0",
                        "lease_messages_refused_total{name=\"orders\"} 0.0");
    }

    @Test
    void aHandOverIsTimedByTheSuccessor() {
        MemoryLeaseStore shared = new MemoryLeaseStore();
        try (LeaderLease predecessor = newLease(shared);
                LeaderLease successor = newLease(shared)) {
            bind(successor, registry);
            predecessor.start();
            await().until(predecessor::isHeld);
            successor.start();
            await().until(() -> successor.status().epoch() == 1);
            long seen = predecessor.counts().renewals().getOrDefault(RenewOutcome.CONFIRMED, 0L);
            await().until(
                            () -> predecessor.counts().renewals().getOrDefault(RenewOutcome.CONFIRMED, 0L),
                            renewals -> renewals > seen + 2);
            predecessor.close();
            await().until(() -> registry.get("lease.handover").functionTimer().count() == 1);
            assertThat(registry.get("lease.handover").functionTimer().totalTime(TimeUnit.SECONDS))
                    .isPositive()
                    .isLessThan(20);
        }
    }

    @Test
    void everyRegistryHasThem() {
        LeaseMetrics metrics = metrics(lease);
        SimpleMeterRegistry second = new SimpleMeterRegistry();
        metrics.bindTo(registry);
        metrics.bindTo(second);
        assertThat(second.getMeters()).hasSameSizeAs(registry.getMeters()).hasSizeGreaterThan(20);
    }

    @Test
    void aGarbageCollectionDoesNotTakeThemAway() {
        bind(newLease(), registry);
        WeakReference<Object> garbage = new WeakReference<>(new Object());
        await().until(() -> {
            System.gc();
            return garbage.get() == null;
        });
        assertThat(gauge("lease.role")).isZero();
        assertThat(registry.getMeters())
                .allSatisfy(meter ->
                        meter.measure().forEach(m -> assertThat(m.getValue()).isNotNaN()));
    }

    private static LeaderLease newLease() {
        return newLease(new MemoryLeaseStore());
    }

    private static LeaderLease newLease(MemoryLeaseStore store) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(Duration.ofSeconds(20))
                .renewInterval(Duration.ofMillis(150))
                .build();
        return new LeaderLease(settings, store, new MemoryStateStore());
    }

    private static void bind(LeaderLease lease, MeterRegistry registry) {
        metrics(lease).bindTo(registry);
    }

    private static LeaseMetrics metrics(LeaderLease lease) {
        return new LeaseMetrics(lease, LeaseListeners.all(lease, new GenericApplicationContext(), 1));
    }

    private List<String> reasons(String meter, String tag) {
        return registry.get(meter).meters().stream()
                .map(Meter::getId)
                .map(id -> String.valueOf(id.getTag(tag)))
                .toList();
    }

    private double gauge(String meter) {
        return registry.get(meter).gauge().value();
    }

    private double counter(String meter, String tag, String value) {
        return registry.get(meter).tag(tag, value).functionCounter().count();
    }
}
