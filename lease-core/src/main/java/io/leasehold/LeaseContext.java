package io.leasehold;

import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What one start of a lease works with.
 *
 * @param workers runs work that may block; never called while a lock is held
 */
record LeaseContext(
        LeaseSettings settings,
        String holder,
        LeaseStore store,
        @Nullable StateStore stateStore,
        LeaseClock clock,
        LeaseMemory memory,
        LeaseCounters counters,
        ListenerCalls listeners,
        Observers observers,
        Executor workers) {

    long renewIntervalNs() {
        return settings.renewInterval().toNanos();
    }

    long retryNs() {
        return settings.verifyDelay().toNanos();
    }

    /** Reads the lease for its holder; another lease's id, or none, is a failed read. */
    LeaseSnapshot read() throws LeaseStoreException {
        LeaseSnapshot found = store.read();
        memory.recognize(found.leaseId(), store.location());
        return found;
    }
}
