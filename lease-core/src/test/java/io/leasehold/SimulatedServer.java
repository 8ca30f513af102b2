package io.leasehold;

import io.leasehold.file.SimulatedFiles.Conditions;
import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.file.SimulatedFiles.Outcome;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateRecord;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A simulated server that replaces a lease and its state on a condition, as a database or a key-value store does. Requests
 * and replies get lost, requests arrive late, rows are deleted, and a replica that lags takes its place.
 */
final class SimulatedServer {
    private static final String LEASE_ID = "lease-1";
    private static final int LAG = 3;

    private static final class Versions<T> {
        private final Deque<T> before = new ArrayDeque<>();
        private T current;

        Versions(T first) {
            current = first;
        }

        void replace(T next) {
            before.push(current);
            if (before.size() > LAG) {
                before.removeLast();
            }
            current = next;
        }

        /** Goes back by some versions; false where there is none. */
        boolean goBack(int versions) {
            T found = null;
            for (int i = 0; i < versions && !before.isEmpty(); i++) {
                found = before.pop();
            }
            if (found == null) {
                return false;
            }
            current = found;
            return true;
        }
    }

    /** The state, or none. */
    private record Stored(@Nullable StateRecord state) {}

    private final Versions<LeaseSnapshot> lease = new Versions<>(LeaseSnapshot.empty(LEASE_ID));
    private final Versions<Stored> state = new Versions<>(new Stored(null));
    private int garbled;

    /** The lease as a process finds it that has to expect some conditions. */
    ConditionalLeaseStore leases(Path path, Conditions conditions) {
        return new ConditionalLeaseStore() {
            @Override
            public LeaseSnapshot read() throws LeaseStoreException {
                if (conditions.before(Operation.READ, path) != Outcome.SUCCEEDS) {
                    throw new LeaseStoreException("simulated time-out of a read");
                }
                LeaseSnapshot found = lease.current;
                conditions.after(Operation.READ, path);
                return found;
            }

            @Override
            protected boolean write(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
                return SimulatedServer.write(path, conditions, () -> replaceLease(expected, next))
                        .orElseThrow(() -> new LeaseStoreException("simulated time-out of a write"));
            }

            @Override
            public String location() {
                return path.toString();
            }
        };
    }

    /** The state as a process finds it that has to expect some conditions. */
    ConditionalStateStore states(Path path, Conditions conditions) {
        return new ConditionalStateStore() {
            @Override
            protected @Nullable StateRecord read() {
                if (conditions.before(Operation.READ, path) != Outcome.SUCCEEDS) {
                    throw new StateStoreException("simulated time-out of a read");
                }
                StateRecord found = state.current.state;
                conditions.after(Operation.READ, path);
                return found;
            }

            @Override
            protected boolean write(@Nullable StateRecord expected, StateRecord next) {
                return SimulatedServer.write(path, conditions, () -> replaceState(expected, next))
                        .orElseThrow(() -> new StateStoreException("simulated time-out of a write"));
            }

            @Override
            public String location() {
                return path.toString();
            }
        };
    }

    /** Whether the condition held; empty where the caller is not told. */
    private static Optional<Boolean> write(Path path, Conditions conditions, BooleanSupplier request) {
        Outcome outcome = conditions.before(Operation.MOVE, path);
        switch (outcome) {
            case SUCCEEDS -> {
                boolean applied = request.getAsBoolean();
                conditions.after(Operation.MOVE, path);
                return Optional.of(applied);
            }
            case LOSES_ITS_REPLY -> {
                boolean unused = request.getAsBoolean();
                conditions.after(Operation.MOVE, path);
            }
            case LANDS_LATER ->
                conditions.later(() -> {
                    boolean unused = request.getAsBoolean();
                });
            case FAILS, IS_TORN -> {}
        }
        return Optional.empty();
    }

    private boolean replaceLease(LeaseSnapshot expected, LeaseRecord next) {
        boolean asExpected = lease.current.unchangedFrom(expected);
        if (asExpected) {
            lease.replace(new LeaseSnapshot(LEASE_ID, next.epoch(), next.toString(), next, next.ttl()));
        }
        return asExpected;
    }

    private boolean replaceState(@Nullable StateRecord expected, StateRecord next) {
        StateRecord now = state.current.state;
        boolean asExpected = now == null ? expected == null : expected != null && now.sameWrite(expected);
        if (asExpected) {
            state.replace(new Stored(next));
        }
        return asExpected;
    }

    /** The highest epoch that opened the state. */
    long highestSealed() {
        StateRecord found = state.current.state;
        return found == null ? 0 : found.epoch();
    }

    /** The lease, for {@link #restore}. */
    LeaseSnapshot backUp() {
        return lease.current;
    }

    /** Somebody puts the lease back as it was; false where it is as it was. */
    boolean restore(LeaseSnapshot backup) {
        if (backup.epoch() == lease.current.epoch()) {
            return false;
        }
        lease.replace(backup);
        return true;
    }

    /** Somebody deletes the lease. */
    void deleteLease() {
        lease.replace(LeaseSnapshot.empty(LEASE_ID));
    }

    /** Somebody writes nonsense over the lease, but not over its epoch. */
    void garbleLease() {
        lease.replace(new LeaseSnapshot(LEASE_ID, lease.current.epoch(), "garbled " + ++garbled, null, Duration.ZERO));
    }

    /** A replica takes over that has not heard of the last writes of the lease; false where there are none. */
    boolean failOverLease(SplittableRandom random) {
        return lease.goBack(1 + random.nextInt(LAG));
    }

    /** The same with the state, which may be on the same server. */
    boolean failOverState(SplittableRandom random) {
        return state.goBack(1 + random.nextInt(LAG));
    }
}
