package io.leasehold;

import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.LeaseWrites;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The records of a real server, by the shipped stores; they are deleted, put back and garbled. */
abstract class StoredRecords implements ServerRecords {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private @Nullable LeaseSnapshot backup;

    /** False where there was none. */
    abstract boolean deleteLease();

    /** False where there was none. */
    abstract boolean deleteState();

    /** Nonsense is written over the lease, but not over its epoch; false where there is none. */
    abstract boolean garbleLease();

    /** What is closed at the end of the history. */
    final <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    @Override
    public final boolean happens(SimulationScenario scenario, SplittableRandom random) {
        return switch (scenario.incident) {
            case EMPTIED -> deleteLease();
            case RESTORED -> restore();
            case GARBLED -> garbleLease();
            case FAIL_OVER -> failOver(scenario.kind, random);
            case NONE, REMOVED, UNMOUNTED, POWER_FAILURE -> false;
        };
    }

    /** To an empty server: of two, either or both lose what they had. */
    private boolean failOver(SimulationKind kind, SplittableRandom random) {
        boolean stateLost = kind == SimulationKind.STORES_FAIL_OVER && deleteState();
        return (stateLost && random.nextBoolean()) || deleteLease() || stateLost;
    }

    /** Somebody puts the lease back as it was once. */
    private boolean restore() {
        var leases = leases();
        try {
            LeaseSnapshot now = leases.read();
            if (backup == null) {
                backup = now;
            }
            if (backup.epoch() == now.epoch()) {
                return false;
            }
            return backup.record() == null ? deleteLease() : LeaseWrites.write(leases, now, backup.record());
        } catch (LeaseStoreException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public final void close() {
        try {
            while (!opened.isEmpty()) {
                opened.pop().close();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
