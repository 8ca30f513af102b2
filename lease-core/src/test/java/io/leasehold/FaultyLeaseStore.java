package io.leasehold;

import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;

/** A lease store whose reads, writes and looks after a write fail when a test says so, and that counts its calls. */
final class FaultyLeaseStore extends HookedLeaseStore {
    /** What becomes of a write. */
    enum Write {
        PASSES,
        /** It happens, and the look after it fails. */
        CANNOT_BE_CONFIRMED,
        /** It happens, and its answer is lost. */
        LOSES_ITS_ANSWER,
        /** It does not happen. */
        FAILS
    }

    int reads;
    int writes;
    int readsToFail;
    boolean readsFail;
    Write write = Write.PASSES;

    FaultyLeaseStore(LeaseStore store) {
        super(store);
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        reads++;
        if (readsFail || readsToFail > 0) {
            beforeRead.run();
            readsToFail = Math.max(0, readsToFail - 1);
            throw new LeaseStoreException("read fails");
        }
        return super.read();
    }

    @Override
    public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        writes++;
        if (write == Write.FAILS) {
            beforeWrite.run();
            throw new LeaseStoreException("write fails");
        }
        WriteOutcome outcome = super.replace(expected, next);
        return switch (write) {
            case CANNOT_BE_CONFIRMED -> WriteOutcome.UNVERIFIED;
            case LOSES_ITS_ANSWER -> throw new LeaseStoreException("the answer to a write is lost");
            default -> outcome;
        };
    }
}
