package io.leasehold;

import static org.awaitility.Awaitility.await;

import io.leasehold.TermEndsContract.Handle;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseRecords;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/** How long a store takes for a renew, a hand-over and a takeover; printed, and asserted by nobody. */
public final class StoreFigures {
    private static final Duration LONG_TTL = Duration.ofSeconds(12);
    private static final Duration SHORT_TTL = Duration.ofSeconds(3);
    private static final int RENEWS = 300;
    private static final int HAND_OVERS = 15;
    private static final int TAKEOVERS = 5;

    private StoreFigures() {}

    /** Measures with two processes' handles on one lease that nobody holds. */
    public static void print(String store, Handle first, Handle second) throws LeaseStoreException {
        first.leases().initialize();
        System.out.printf(
                Locale.ROOT,
                "Figures of %s, milliseconds: hand-over %s, takeover at a ttl of %d %s, look and renew %s%n",
                store,
                handOvers(first, second),
                SHORT_TTL.toMillis(),
                takeovers(first, second),
                renews(first.leases()));
    }

    private static LeaderLease contender(Handle handle, LeaseStore leases, Duration ttl) {
        return new LeaderLease(
                LeaseSettings.builder("orders")
                        .ttl(ttl)
                        .drainTimeout(Duration.ZERO)
                        .build(),
                leases,
                handle.states());
    }

    private static String handOvers(Handle first, Handle second) {
        List<Double> took = new ArrayList<>();
        LeaderLease leader = contender(first, first.leases(), LONG_TTL);
        LeaderLease standby = contender(second, second.leases(), LONG_TTL);
        leader.start();
        await().until(leader::isHeld);
        for (int i = 0; i < HAND_OVERS; i++) {
            standby.start();
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            long begunNs = System.nanoTime();
            leader.close();
            took.add(untilHeld(standby, begunNs));
            LeaderLease next = standby;
            standby = leader;
            leader = next;
        }
        leader.close();
        return text(took);
    }

    /** From the last confirmed renew of a holder whose store fails from then on. */
    private static String takeovers(Handle first, Handle second) {
        List<Double> took = new ArrayList<>();
        for (int i = 0; i < TAKEOVERS; i++) {
            HookedLeaseStore hooked = new HookedLeaseStore(first.leases());
            AtomicBoolean cut = new AtomicBoolean();
            Runnable fail = () -> {
                if (cut.get()) {
                    throw new IllegalStateException("cut off");
                }
            };
            hooked.beforeRead = fail;
            hooked.beforeWrite = fail;
            try (LeaderLease leader = contender(first, hooked, SHORT_TTL);
                    LeaderLease standby = contender(second, second.leases(), SHORT_TTL)) {
                leader.start();
                await().until(leader::isHeld);
                standby.start();
                await().pollDelay(SHORT_TTL.dividedBy(2)).until(() -> true);
                cut.set(true);
                long begunNs =
                        System.nanoTime() - leader.status().sinceConfirmed().toNanos();
                took.add(untilHeld(standby, begunNs));
            }
        }
        return text(took);
    }

    private static double untilHeld(LeaderLease lease, long begunNs) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .atMost(Duration.ofMinutes(1))
                .until(lease::isHeld);
        return (System.nanoTime() - begunNs) / 1e6;
    }

    private static String renews(LeaseStore store) throws LeaseStoreException {
        List<Double> took = new ArrayList<>();
        LeaseRecord record = LeaseRecords.claim("figures", store.read().epoch() + 1);
        require(store.replace(store.read(), record));
        for (int i = 0; i < RENEWS; i++) {
            record = LeaseRecords.renewed(record);
            long begunNs = System.nanoTime();
            require(store.replace(store.read(), record));
            took.add((System.nanoTime() - begunNs) / 1e6);
        }
        return text(took);
    }

    private static void require(WriteOutcome outcome) {
        if (outcome != WriteOutcome.CONFIRMED) {
            throw new IllegalStateException("not confirmed: " + outcome);
        }
    }

    private static String text(List<Double> took) {
        Collections.sort(took);
        return String.format(Locale.ROOT, "%.2f (at most %.2f)", took.get(took.size() / 2), took.get(took.size() - 1));
    }
}
