package io.leasehold;

import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateRecord;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The records of a server that are deleted, put back, garbled, and replaced by those of a replica that lags. */
final class ServerModel implements ServerRecords {
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
    private @Nullable LeaseSnapshot backup;
    private int garbled;

    @Override
    public ConditionalLeaseStore leases() {
        return new ConditionalLeaseStore() {
            @Override
            public LeaseSnapshot read() {
                return lease.current;
            }

            @Override
            protected boolean write(LeaseSnapshot expected, LeaseRecord next) {
                boolean asExpected = lease.current.unchangedFrom(expected);
                if (asExpected) {
                    lease.replace(new LeaseSnapshot(LEASE_ID, next.epoch(), next.toString(), next, next.ttl()));
                }
                return asExpected;
            }

            @Override
            public String location() {
                return LEASE_ID;
            }
        };
    }

    @Override
    public ConditionalStateStore states() {
        return new ConditionalStateStore() {
            @Override
            protected @Nullable StateRecord read() {
                return state.current.state;
            }

            @Override
            protected boolean write(@Nullable StateRecord expected, StateRecord next) {
                StateRecord now = state.current.state;
                boolean asExpected = now == null ? expected == null : expected != null && now.sameWrite(expected);
                if (asExpected) {
                    state.replace(new Stored(next));
                }
                return asExpected;
            }

            @Override
            public String location() {
                return LEASE_ID;
            }
        };
    }

    @Override
    public boolean happens(SimulationScenario scenario, SplittableRandom random) {
        switch (scenario.incident) {
            case EMPTIED -> lease.replace(LeaseSnapshot.empty(LEASE_ID));
            case RESTORED -> {
                return restore();
            }
            case GARBLED -> garble();
            case FAIL_OVER -> {
                boolean lost = lease.goBack(1 + random.nextInt(LAG));
                if (scenario.kind == SimulationKind.STORES_FAIL_OVER) {
                    lost |= state.goBack(1 + random.nextInt(LAG));
                }
                return lost;
            }
            case NONE, REMOVED, UNMOUNTED, POWER_FAILURE -> {
                return false;
            }
        }
        return true;
    }

    /** Somebody puts the lease back as it was once. */
    private boolean restore() {
        if (backup == null) {
            backup = lease.current;
        }
        boolean differs = backup.epoch() != lease.current.epoch();
        if (differs) {
            lease.replace(backup);
        }
        return differs;
    }

    /** Somebody writes nonsense over the lease, but not over its epoch. */
    private void garble() {
        lease.replace(new LeaseSnapshot(LEASE_ID, lease.current.epoch(), "garbled " + ++garbled, null, Duration.ZERO));
    }
}
