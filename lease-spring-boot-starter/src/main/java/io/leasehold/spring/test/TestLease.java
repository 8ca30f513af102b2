package io.leasehold.spring.test;

import io.leasehold.LeaderLease;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.ListenersStage;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.io.Closeable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A lease in memory that a test gives to the application and takes from it. At first another holds it. Safe for use by
 * several threads.
 *
 * <p>Time is real: what depends on the ttl takes that long, so tests set a short one, as {@link LeaseTest} does. Methods that
 * wait do so for half a minute at most.
 */
public final class TestLease {
    private static final String OTHER = "another";
    private static final Duration FOR_EVER = Duration.ofDays(365);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long LOOK_AGAIN_MS = 5;

    private final Supplier<LeaderLifecycle> application;
    private final MemoryLeaseStore leases = new MemoryLeaseStore();
    private final MemoryStateStore states = new MemoryStateStore();
    private final LeaseStore store = new Store();
    private volatile boolean frozen;

    /** The lifecycle is asked for when a method waits for the application. */
    TestLease(Supplier<LeaderLifecycle> application) {
        this.application = application;
        takeAway();
    }

    /**
     * Lets the application lead, and waits until it does and its listeners have been started.
     *
     * @return the lease, which the application holds
     * @throws IllegalStateException when it does not lead in time
     */
    public LeaderLease grant() {
        frozen = false;
        LeaseSnapshot found = leases.read();
        LeaseRecord record = Objects.requireNonNull(found.record());
        if (record.holder().equals(OTHER)) {
            leases.replace(found, record.released(record.sequence() + 1));
        }
        LeaderLifecycle led = application.get();
        await("lead", () -> led.lease().isHeld() && led.listeners().status().stage() == ListenersStage.STARTED);
        return led.lease();
    }

    /**
     * Lets another take the lease, as if this process had been frozen past its ttl, and waits until the application's
     * listeners have stopped. A hand-over with notice is {@link LeaderLease#stepDown()}.
     *
     * @throws IllegalStateException when they do not stop in time
     */
    public void revoke() {
        frozen = false;
        takeAway();
        LeaderLifecycle led = application.get();
        await("stop", () -> !led.lease().isHeld() && led.listeners().status().stage() == ListenersStage.HELD_BACK);
    }

    /**
     * From now on every read and write of the lease fails. A holder goes on until its drain point, stops its listeners, and
     * ends its term by itself at its deadline; a standby stays one. Does not wait. Ended by {@link #thaw()}, {@link
     * #grant()} or {@link #revoke()}.
     */
    public void freeze() {
        frozen = true;
    }

    /** Ends what {@link #freeze()} began. */
    public void thaw() {
        frozen = false;
    }

    /**
     * Lets a successor open the state: the next commit of the application is refused with a {@link
     * io.leasehold.state.StateFenceException}, and its term ends. Does not wait.
     */
    public void fence() {
        LeaseSnapshot found = leases.read();
        long epoch = Math.max(found.epoch(), states.head().epoch()) + 1;
        states.open(epoch, OTHER, Objects.requireNonNull(found.leaseId()));
    }

    /**
     * What the lease is kept in.
     *
     * @return a store in memory
     */
    public LeaseStore leaseStore() {
        return store;
    }

    /**
     * What the state is kept in. {@link StateStore#snapshot()} tells what has been committed.
     *
     * @return a store in memory
     */
    public StateStore stateStore() {
        return states;
    }

    private void takeAway() {
        WriteOutcome outcome;
        do {
            LeaseSnapshot found = leases.read();
            long epoch = Math.max(found.epoch(), states.head().epoch()) + 1;
            LeaseRecord claim = new LeaseRecord(
                    OTHER, "claim-" + epoch, epoch, 0, FOR_EVER, Instant.now().plus(FOR_EVER), false);
            outcome = leases.replace(found, claim);
            if (outcome == WriteOutcome.CONFIRMED) {
                leases.replace(leases.read(), claim.renewed(1, FOR_EVER, claim.expiresAt()));
            }
        } while (outcome != WriteOutcome.CONFIRMED);
    }

    private void await(String what, BooleanSupplier condition) {
        long begunNs = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begunNs > PATIENCE.toNanos()) {
                LeaderLifecycle led = application.get();
                throw new IllegalStateException("The application does not " + what + ": "
                        + led.lease().status() + ", " + led.listeners().status());
            }
            try {
                Thread.sleep(LOOK_AGAIN_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted before the application could " + what, e);
            }
        }
    }

    private final class Store implements LeaseStore {

        @Override
        public LeaseSnapshot read() throws LeaseStoreException {
            refuseWhileFrozen();
            return leases.read();
        }

        @Override
        public void initialize() throws LeaseStoreException {
            refuseWhileFrozen();
            leases.initialize();
        }

        @Override
        public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
            refuseWhileFrozen();
            return leases.replace(expected, next);
        }

        @Override
        public Closeable watch(Runnable onChange) {
            return leases.watch(onChange);
        }

        @Override
        public String location() {
            return "memory of a test";
        }

        private void refuseWhileFrozen() throws LeaseStoreException {
            if (frozen) {
                throw new LeaseStoreException("The lease has been frozen by a test");
            }
        }
    }
}
