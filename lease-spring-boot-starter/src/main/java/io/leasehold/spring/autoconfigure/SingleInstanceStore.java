package io.leasehold.spring.autoconfigure;

import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The lease of a process that is taken for the only instance: nobody contends, so it is free at once, also after the
 * process was suspended past a ttl, and no term is written.
 * Its id and the lowest next epoch are those of the configured stores, so that the state there goes on, is fenced as ever,
 * and is still this lease's when it is contended for again.
 */
final class SingleInstanceStore implements LeaseStore {
    private final LeaseStore configured;
    private final @Nullable StateStore states;
    private @Nullable LeaseSnapshot own;

    SingleInstanceStore(LeaseStore configured, @Nullable StateStore states) {
        this.configured = configured;
        this.states = states;
    }

    @Override
    public synchronized LeaseSnapshot read() throws LeaseStoreException {
        if (own != null) {
            LeaseRecord record = own.record();
            boolean over = record == null || record.expiresAt().isBefore(Instant.now());
            return over ? free(own.leaseId(), own.epoch()) : own;
        }
        LeaseSnapshot found = configured.read();
        StateHead head = states == null ? new StateHead(0, null) : states.head();
        // In memory the id of the last process is gone, and only the state knows it.
        String id = configured instanceof MemoryLeaseStore && head.leaseId() != null ? head.leaseId() : found.leaseId();
        long epoch = Math.max(found.epoch(), head.epoch());
        return epoch == 0 ? LeaseSnapshot.empty(id) : free(id, epoch);
    }

    @Override
    public void initialize() throws LeaseStoreException {
        configured.initialize();
    }

    @Override
    public synchronized WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) {
        own = new LeaseSnapshot(expected.leaseId(), next.epoch(), next.toString(), next, next.ttl());
        return WriteOutcome.CONFIRMED;
    }

    @Override
    public String location() {
        return "this process alone";
    }

    private static LeaseSnapshot free(@Nullable String id, long epoch) {
        LeaseRecord released = new LeaseRecord("nobody", "none", epoch, 1, Duration.ofMillis(1), Instant.EPOCH, true);
        return new LeaseSnapshot(id, epoch, released.toString(), released, released.ttl());
    }
}
