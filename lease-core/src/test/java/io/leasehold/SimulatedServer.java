package io.leasehold;

import io.leasehold.file.SimulatedFiles.Conditions;
import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.file.SimulatedFiles.Outcome;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateRecord;
import io.leasehold.state.StateStoreException;
import io.leasehold.state.StateWrites;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.LeaseWrites;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A simulated way to a server that replaces a lease and its state on a condition, as a database or a key-value store does:
 * requests and replies get lost, and requests arrive late. Each process has stores of its own. What they are not told of
 * is done by other ones, so that they do not know it.
 */
final class SimulatedServer implements AutoCloseable {
    /** Reaches the server; returns whether its condition held. */
    private interface Request<X extends Exception> {
        boolean reach() throws X;
    }

    private final ServerRecords records;

    private final ConditionalLeaseStore untoldLeases;
    private final ConditionalStateStore untoldStates;

    SimulatedServer(ServerRecords records) {
        this.records = records;
        this.untoldLeases = records.leases();
        this.untoldStates = records.states();
    }

    /** The lease as a process finds it that has to expect some conditions. */
    ConditionalLeaseStore leases(Path path, Conditions conditions) {
        ConditionalLeaseStore own = records.leases();
        return new ConditionalLeaseStore() {
            @Override
            public LeaseSnapshot read() throws LeaseStoreException {
                if (conditions.before(Operation.READ, path) != Outcome.SUCCEEDS) {
                    throw new LeaseStoreException("simulated time-out of a read");
                }
                LeaseSnapshot found = own.read();
                conditions.after(Operation.READ, path);
                return found;
            }

            @Override
            protected boolean write(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
                return SimulatedServer.write(
                                path,
                                conditions,
                                () -> LeaseWrites.write(own, expected, next),
                                () -> LeaseWrites.write(untoldLeases, expected, next))
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
        ConditionalStateStore own = records.states();
        return new ConditionalStateStore() {
            @Override
            protected @Nullable StateRecord read() {
                if (conditions.before(Operation.READ, path) != Outcome.SUCCEEDS) {
                    throw new StateStoreException("simulated time-out of a read");
                }
                StateRecord found = StateWrites.read(own);
                conditions.after(Operation.READ, path);
                return found;
            }

            @Override
            protected boolean write(@Nullable StateRecord expected, StateRecord next) {
                return SimulatedServer.write(
                                path,
                                conditions,
                                () -> StateWrites.write(own, expected, next),
                                () -> StateWrites.write(untoldStates, expected, next))
                        .orElseThrow(() -> new StateStoreException("simulated time-out of a write"));
            }

            @Override
            public String location() {
                return path.toString();
            }
        };
    }

    /** Whether the condition held; empty where the caller is not told. */
    private static <X extends Exception> Optional<Boolean> write(
            Path path, Conditions conditions, Request<X> request, Request<X> untold) throws X {
        Outcome outcome = conditions.before(Operation.MOVE, path);
        switch (outcome) {
            case SUCCEEDS -> {
                boolean applied = request.reach();
                conditions.after(Operation.MOVE, path);
                return Optional.of(applied);
            }
            case LOSES_ITS_REPLY -> {
                boolean unused = untold.reach();
                conditions.after(Operation.MOVE, path);
            }
            case LANDS_LATER -> conditions.later(() -> reachLate(untold));
            case FAILS, IS_TORN -> {}
        }
        return Optional.empty();
    }

    private static void reachLate(Request<?> request) {
        try {
            boolean unused = request.reach();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The highest epoch that opened the state. */
    long highestSealed() {
        StateRecord found = StateWrites.read(untoldStates);
        return found == null ? 0 : found.epoch();
    }

    /** What can happen to the records happens; false where nothing does. */
    boolean happens(SimulationScenario scenario, SplittableRandom random) {
        return records.happens(scenario, random);
    }

    @Override
    public void close() {
        records.close();
    }
}
