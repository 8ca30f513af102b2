package io.leasehold;

import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.io.Closeable;

/** A lease store that runs what a test says around its calls: to hang, to fail, to act. Safe for use by several threads. */
class HookedLeaseStore implements LeaseStore {
    private final LeaseStore store;
    volatile Runnable beforeRead = () -> {};
    volatile Runnable afterRead = () -> {};
    volatile Runnable beforeWrite = () -> {};
    volatile Runnable afterWrite = () -> {};
    volatile Runnable beforeWatch = () -> {};
    volatile Runnable afterWatch = () -> {};
    volatile Runnable onWatchClose = () -> {};
    volatile boolean watched;

    HookedLeaseStore(LeaseStore store) {
        this.store = store;
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        beforeRead.run();
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
        beforeWrite.run();
        WriteOutcome outcome = store.replace(expected, next);
        afterWrite.run();
        return outcome;
    }

    @Override
    public Closeable watch(Runnable onChange) {
        beforeWatch.run();
        Closeable watch = store.watch(onChange);
        afterWatch.run();
        watched = true;
        return () -> {
            onWatchClose.run();
            watched = false;
            watch.close();
        };
    }

    @Override
    public String location() {
        return store.location();
    }
}
