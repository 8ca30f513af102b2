package io.leasehold.memory;

import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state in memory, fenced by epoch, shared by the contenders that are given the same object. Nothing of it outlives the
 * process. Safe for use by several threads.
 */
public final class MemoryStateStore implements StateStore {
    private @Nullable String leaseId;
    private long epoch;
    private String holder = "";
    private Map<String, String> entries = Map.of();

    /** A state without entries that no epoch has opened. */
    public MemoryStateStore() {}

    @Override
    public synchronized StateHead head() {
        return new StateHead(epoch, leaseId);
    }

    @Override
    public synchronized StateSession open(long newEpoch, String newHolder, String newLeaseId) {
        if (leaseId != null && !leaseId.equals(newLeaseId)) {
            throw new StateStoreException(
                    "The state at " + location() + " belongs to lease id " + leaseId + ", not " + newLeaseId);
        }
        if (newEpoch < epoch || (newEpoch == epoch && !holder.equals(newHolder))) {
            throw new StateFenceException(location(), newEpoch, epoch);
        }
        leaseId = newLeaseId;
        epoch = newEpoch;
        holder = newHolder;
        return new Session(newEpoch, entries);
    }

    @Override
    public synchronized Map<String, String> snapshot() {
        return entries;
    }

    @Override
    public String location() {
        return "memory";
    }

    private synchronized void write(long writerEpoch, Map<String, String> newEntries) {
        if (writerEpoch < epoch) {
            throw new StateFenceException(location(), writerEpoch, epoch);
        }
        entries = Map.copyOf(newEntries);
    }

    private final class Session implements StateSession {
        private final long sessionEpoch;
        private final Map<String, String> seed;

        Session(long sessionEpoch, Map<String, String> seed) {
            this.sessionEpoch = sessionEpoch;
            this.seed = seed;
        }

        @Override
        public Map<String, String> entries() {
            return seed;
        }

        @Override
        public void write(Map<String, String> newEntries) {
            MemoryStateStore.this.write(sessionEpoch, newEntries);
        }
    }
}
