package io.leasehold.spring.metrics;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.LeaseCounts.RenewOutcome;
import io.leasehold.SurrenderReason;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.ListenersStage;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a lease, tagged with its name. All are there from the start and sampled whenever a registry asks, so none
 * goes stale; sampling costs no I/O. The holder and the epoch are no tags: each of their values would make a new series.
 * Safe for use by several threads, and with any number of registries.
 *
 * <p>A hand-over is measured by the successor: from when it, as a standby, last saw its predecessor's lease change, which is
 * a renew or the release, to when all its listeners had been started. The predecessor's last message may have been earlier,
 * and its renew up to a look earlier than it was seen. Not measured is a hand-over from a predecessor that this process never
 * saw change its lease, and one in which the listeners could not be started.
 *
 * <p>Not measured: whether the listeners do useful work.
 */
public final class LeaseMetrics implements MeterBinder {
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final String SECONDS = "seconds";
    private static final String UNVERIFIED = "Renews that could not be confirmed, since the start";
    private static final String STREAK = "Renews in a row that could not be confirmed";
    private static final String ROLE = "1 while this process holds the lease, else 0";
    private static final String EPOCH = "The highest epoch that this process has seen";
    private static final String REMAINING = "How long the term lasts if nothing more is confirmed; 0 on a standby";
    private static final String CONFIRMED = "Time since the last confirmed renew; 0 on a standby";
    private static final String RENEWALS = "Renews tried, by outcome";
    private static final String COMMITS = "Commits of the state, by outcome";
    private static final String TERMS = "Terms begun, and terms ended by reason";
    private static final String IN_FLIGHT = "Messages being handled, and calls of @LeaderOnly methods being made";
    private static final String HAND_OVER =
            "Hand-overs, from the predecessor's last sign of life to the listeners' start";
    private static final String START_FAILURES = "Attempts to start the listeners that failed";
    private static final String STOP_UNCONFIRMED = "1 while listeners have not stopped in time, else 0";
    private static final String REFUSED = "Messages not handled because this process did not hold the lease";
    private static final String SKIPPED = "Calls of @LeaderOnly methods left out because this process did not lead";

    private final LeaderLease lease;
    private final LeaseListeners listeners;
    private final Tags name;

    /**
     * The meters of one lease.
     *
     * @param lease the lease
     * @param listeners what follows it
     */
    public LeaseMetrics(LeaderLease lease, LeaseListeners listeners) {
        this.lease = lease;
        this.listeners = listeners;
        this.name = Tags.of("name", lease.settings().name());
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bindGauges(registry);
        bindCounters(registry);
        bindHandOver(registry);
    }

    private void bindGauges(MeterRegistry registry) {
        gauge(
                registry,
                "lease.renew.unverified",
                UNVERIFIED,
                null,
                l -> l.status().unverifiedRenews());
        gauge(
                registry,
                "lease.renew.unverified.streak",
                STREAK,
                null,
                l -> l.status().unverifiedStreak());
        gauge(registry, "lease.role", ROLE, null, l -> l.isHeld() ? 1 : 0);
        gauge(registry, "lease.epoch", EPOCH, null, l -> l.status().epoch());
        gauge(
                registry,
                "lease.remaining",
                REMAINING,
                SECONDS,
                l -> seconds(l.status().remaining()));
        gauge(
                registry,
                "lease.since.confirmed",
                CONFIRMED,
                SECONDS,
                l -> seconds(l.status().sinceConfirmed()));
        gauge(
                registry,
                "lease.messages.in.flight",
                IN_FLIGHT,
                null,
                l -> listeners.status().inFlight());
        gauge(
                registry,
                "lease.listeners.stop.unconfirmed",
                STOP_UNCONFIRMED,
                null,
                l -> listeners.status().stage() == ListenersStage.STOP_NOT_CONFIRMED ? 1 : 0);
    }

    private void bindCounters(MeterRegistry registry) {
        for (RenewOutcome outcome : RenewOutcome.values()) {
            Tags tags = name.and("outcome", text(outcome));
            counter(
                    registry,
                    "lease.renewals",
                    RENEWALS,
                    tags,
                    l -> l.counts().renewals().getOrDefault(outcome, 0L));
        }
        for (CommitOutcome outcome : CommitOutcome.values()) {
            Tags tags = name.and("outcome", text(outcome));
            counter(
                    registry,
                    "lease.commits",
                    COMMITS,
                    tags,
                    l -> l.counts().commits().getOrDefault(outcome, 0L));
        }
        counter(
                registry,
                "lease.transitions",
                TERMS,
                name.and("reason", "acquired"),
                l -> l.counts().acquired());
        for (SurrenderReason reason : SurrenderReason.values()) {
            Tags tags = name.and("reason", text(reason));
            counter(
                    registry,
                    "lease.transitions",
                    TERMS,
                    tags,
                    l -> l.counts().surrendered().getOrDefault(reason, 0L));
        }
        counter(registry, "lease.messages.refused", REFUSED, name, l -> listeners.refusedMessages());
        counter(registry, "lease.calls.skipped", SKIPPED, name, l -> listeners.skippedCalls());
        counter(registry, "lease.listeners.start.failures", START_FAILURES, name, l -> listeners.startFailures());
    }

    private void bindHandOver(MeterRegistry registry) {
        FunctionTimer.builder(
                        "lease.handover",
                        lease,
                        l -> l.counts().handOvers().number(),
                        l -> l.counts().handOvers().time().toNanos(),
                        TimeUnit.NANOSECONDS)
                .description(HAND_OVER)
                .tags(name)
                .register(registry);
    }

    private void gauge(
            MeterRegistry registry,
            String meter,
            String description,
            @Nullable String unit,
            ToDoubleFunction<LeaderLease> value) {
        Gauge.builder(meter, lease, value)
                .strongReference(true)
                .description(description)
                .baseUnit(unit)
                .tags(name)
                .register(registry);
    }

    /** A registry holds the lease weakly for these, and strongly for the gauges. */
    private void counter(
            MeterRegistry registry, String meter, String description, Tags tags, ToDoubleFunction<LeaderLease> value) {
        FunctionCounter.builder(meter, lease, value)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS_PER_SECOND;
    }
}
