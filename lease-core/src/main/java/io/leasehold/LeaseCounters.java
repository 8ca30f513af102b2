package io.leasehold;

import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.LeaseCounts.HandOvers;
import io.leasehold.LeaseCounts.RenewOutcome;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Counts what happens. Safe for use by several threads. */
final class LeaseCounters {
    private final AtomicLong acquired = new AtomicLong();
    private final Map<SurrenderReason, AtomicLong> surrendered = zeros(SurrenderReason.class);
    private final Map<RenewOutcome, AtomicLong> renewals = zeros(RenewOutcome.class);
    private final Map<CommitOutcome, AtomicLong> commits = zeros(CommitOutcome.class);
    private final AtomicLong unverifiedStreak = new AtomicLong();
    private final AtomicReference<HandOvers> handOvers = new AtomicReference<>(new HandOvers(0, Duration.ZERO));

    void acquired() {
        acquired.incrementAndGet();
        unverifiedStreak.set(0);
    }

    void surrendered(SurrenderReason reason) {
        get(surrendered, reason).incrementAndGet();
    }

    void renewed(RenewOutcome outcome) {
        get(renewals, outcome).incrementAndGet();
        if (outcome == RenewOutcome.UNVERIFIED) {
            unverifiedStreak.incrementAndGet();
        } else if (outcome == RenewOutcome.CONFIRMED) {
            unverifiedStreak.set(0);
        }
    }

    /** A renew that was counted before as not confirmed turned out to be there. */
    void settled() {
        unverifiedStreak.set(0);
    }

    void committed(CommitOutcome outcome, int number) {
        get(commits, outcome).addAndGet(number);
    }

    void handedOver(long tookNs) {
        handOvers.updateAndGet(
                before -> new HandOvers(before.number() + 1, before.time().plusNanos(tookNs)));
    }

    long unverifiedRenews() {
        return get(renewals, RenewOutcome.UNVERIFIED).get();
    }

    long unverifiedStreak() {
        return unverifiedStreak.get();
    }

    LeaseCounts counts() {
        return new LeaseCounts(
                acquired.get(),
                values(surrendered),
                values(renewals),
                values(commits),
                Objects.requireNonNull(handOvers.get()));
    }

    private static <E extends Enum<E>> AtomicLong get(Map<E, AtomicLong> counts, E constant) {
        return Objects.requireNonNull(counts.get(constant));
    }

    private static <E extends Enum<E>> Map<E, AtomicLong> zeros(Class<E> type) {
        Map<E, AtomicLong> zeros = new EnumMap<>(type);
        for (E constant : type.getEnumConstants()) {
            zeros.put(constant, new AtomicLong());
        }
        return zeros;
    }

    private static <E extends Enum<E>> Map<E, Long> values(Map<E, AtomicLong> counts) {
        Map<E, Long> values = new EnumMap<>(counts.keySet().iterator().next().getDeclaringClass());
        counts.forEach((constant, count) -> values.put(constant, count.get()));
        return Collections.unmodifiableMap(values);
    }
}
