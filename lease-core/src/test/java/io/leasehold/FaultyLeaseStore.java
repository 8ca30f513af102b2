package io.leasehold;

import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;

/** A lease store whose reads, writes and looks after a write fail when a test says so, and that counts its calls. */
final class FaultyLeaseStore implements LeaseStore {
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

    private final LeaseStore store;
    int reads;
    int writes;
    int readsToFail;
    boolean readsFail;
    Write write = Write.PASSES;
    Runnable beforeRead = () -> {};
    Runnable afterRead = () -> {};
    Runnable beforeWrite = () -> {};
    Runnable afterWrite = () -> {};

    FaultyLeaseStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        reads++;
        beforeRead.run();
        if (readsFail || readsToFail > 0) {
            readsToFail = Math.max(0, readsToFail - 1);
            throw new LeaseStoreException("read fails");
        }
        LeaseSnapshot found = store.read();
        afterRead.run();
        return found;
    }

    @Override
    public void initialize() throws LeaseStoreException {
        store.initialize();
    }

    @Override
    public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        writes++;
        beforeWrite.run();
        if (write == Write.FAILS) {
            throw new LeaseStoreException("write fails");
        }
        WriteOutcome outcome = store.replace(expected, next);
        afterWrite.run();
        return switch (write) {
            case CANNOT_BE_CONFIRMED -> WriteOutcome.UNVERIFIED;
            case LOSES_ITS_ANSWER -> throw new LeaseStoreException("the answer to a write is lost");
            default -> outcome;
        };
    }

    @Override
    public String location() {
        return store.location();
    }
}
