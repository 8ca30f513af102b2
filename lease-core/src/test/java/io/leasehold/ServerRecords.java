package io.leasehold;

import io.leasehold.state.StateRecord;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What a server keeps of one lease and its state, replaced on a condition; without any trouble on the way to it. */
interface ServerRecords {

    LeaseSnapshot readLease() throws LeaseStoreException;

    boolean writeLease(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException;

    @Nullable
    StateRecord readState();

    boolean writeState(@Nullable StateRecord expected, StateRecord next);

    /** What can happen to them in a history; false where it cannot, or where it would change nothing. */
    default boolean happens(SimulationScenario scenario, SplittableRandom random) {
        return false;
    }
}
