package io.leasehold.memory;

import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.io.Closeable;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A lease in memory, shared by the contenders that are given the same object. It guarantees nothing beyond this process.
 * Safe for use by several threads.
 */
public final class MemoryLeaseStore extends ConditionalLeaseStore {
    private final String leaseId = UUID.randomUUID().toString();
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private LeaseSnapshot current = LeaseSnapshot.empty(leaseId);

    /** A lease that nobody has held. */
    public MemoryLeaseStore() {}

    @Override
    public synchronized LeaseSnapshot read() {
        return current;
    }

    /** As in every store; in memory no outcome is unknown. */
    @Override
    public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) {
        try {
            return super.replace(expected, next);
        } catch (LeaseStoreException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected boolean write(LeaseSnapshot expected, LeaseRecord next) {
        synchronized (this) {
            if (!current.unchangedFrom(expected)) {
                return false;
            }
            current = new LeaseSnapshot(leaseId, next.epoch(), next.toString(), next, next.ttl());
        }
        watchers.forEach(Runnable::run);
        return true;
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
