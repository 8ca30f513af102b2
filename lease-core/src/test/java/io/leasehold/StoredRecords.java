package io.leasehold;

import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateRecord;
import io.leasehold.state.StateWrites;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.LeaseWrites;
import org.jspecify.annotations.Nullable;

/**
 * The records of a real server, by the shipped stores.
 *
 * @param leases the lease of one history
 * @param states its state
 */
record StoredRecords(ConditionalLeaseStore leases, ConditionalStateStore states) implements ServerRecords {

    @Override
    public LeaseSnapshot readLease() throws LeaseStoreException {
        return leases.read();
    }

    @Override
    public boolean writeLease(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        return LeaseWrites.write(leases, expected, next);
    }

    @Override
    public @Nullable StateRecord readState() {
        return StateWrites.read(states);
    }

    @Override
    public boolean writeState(@Nullable StateRecord expected, StateRecord next) {
        return StateWrites.write(states, expected, next);
    }
}
