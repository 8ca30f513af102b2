package io.leasehold;

import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** One contender whose steps and clock a test drives; listeners are called on the stepping thread, unless it is told otherwise. */
final class Contender {
    final ManualClock clock;
    final FaultyLeaseStore store;
    final LeaseCounters counters = new LeaseCounters();
    final LeaseMemory memory;
    final ListenerCalls listeners = new ListenerCalls();
    final Observers observers = new Observers();
    final List<String> calls = new ArrayList<>();
    final LeaseElection election;
    private final LeaseSettings settings;

    Contender(String holder, LeaseSettings settings, LeaseStore store, @Nullable StateStore state, ManualClock clock) {
        this(holder, settings, store, state, clock, Runnable::run);
    }

    /** A contender whose listeners are called when the executor says so. */
    Contender(
            String holder,
            LeaseSettings settings,
            LeaseStore store,
            @Nullable StateStore state,
            ManualClock clock,
            Executor workers) {
        this.settings = settings;
        this.clock = clock;
        this.store = store instanceof FaultyLeaseStore faulty ? faulty : new FaultyLeaseStore(store);
        this.memory = new LeaseMemory(settings.ttl());
        listeners.add(new Recorder());
        LeaseContext context = new LeaseContext(
                settings, holder, this.store, state, clock, memory, counters, listeners, observers, workers);
        this.election = new LeaseElection(context, () -> {});
    }

    /** Lets time pass, with every step and every look at the deadline in its time. */
    void pass(Duration time) {
        long leftNs = time.toNanos();
        for (; ; ) {
            long dueNs = election.step();
            if (dueNs == 0) {
                continue;
            }
            long nextNs = Math.min(leftNs, Math.min(dueNs, Math.max(1, election.enforce())));
            if (leftNs == 0) {
                return;
            }
            clock.advance(Duration.ofNanos(nextNs));
            election.enforce();
            leftNs -= nextNs;
        }
    }

    /** Steps until nothing is due at this moment. */
    void settle() {
        pass(Duration.ZERO);
    }

    boolean isHeld() {
        Lease lease = election.lease();
        return lease != null && lease.isHeld();
    }

    Lease lease() {
        return Objects.requireNonNull(election.lease());
    }

    LeaseStatus status() {
        return election.status();
    }

    Duration ttl() {
        return settings.ttl();
    }

    private final class Recorder implements LeaseListener {
        @Override
        public void onAcquired(Lease lease) {
            calls.add("acquired " + lease.epoch());
        }

        @Override
        public void onSurrendered(Lease lease, SurrenderReason reason) {
            calls.add("surrendered " + lease.epoch() + " " + reason);
        }
    }
}
