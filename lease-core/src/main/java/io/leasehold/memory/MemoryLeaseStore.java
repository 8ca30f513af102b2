package io.leasehold.memory;

import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.WriteOutcome;
import java.io.Closeable;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A lease in memory, shared by the contenders that are given the same object. Every write is one conditional replacement.
 * It guarantees nothing beyond this process. Safe for use by several threads.
 */
public final class MemoryLeaseStore implements LeaseStore {
    private final String leaseId = UUID.randomUUID().toString();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private LeaseSnapshot current = LeaseSnapshot.empty(leaseId);

    /** A lease that nobody has held. */
    public MemoryLeaseStore() {}

    @Override
    public synchronized LeaseSnapshot read() {
        return current;
    }

    @Override
    public void initialize() {
        // The lease has its id from the beginning.
    }

    @Override
    public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) {
        synchronized (this) {
            LeaseRecord record = current.record();
            boolean own = record != null && record.sameClaim(next);
            boolean claim = next.sequence() == 0 && next.epoch() > current.epoch();
            if (!own && (!claim || !current.unchangedFrom(expected))) {
                return WriteOutcome.SUPERSEDED;
            }
            current = new LeaseSnapshot(leaseId, next.epoch(), next.toString(), next, next.ttl());
        }
        watchers.forEach(Runnable::run);
        return WriteOutcome.CONFIRMED;
    }

    @Override
    public Closeable watch(Runnable onChange) {
        watchers.add(onChange);
        return () -> watchers.remove(onChange);
    }

    @Override
    public String location() {
        return "memory:" + leaseId;
    }
}
