package io.leasehold.store;

import java.io.Closeable;

/**
 * A place that holds one lease.
 *
 * <p>Implementations are safe for use by several threads. They do I/O and nothing else: no time, no retries, no
 * leadership. Three answers are kept apart: a value, an outcome that says no, and an exception, which means "cannot
 * tell" and never "free".
 */
public interface LeaseStore {

    /**
     * Reads the highest epoch, its contents, and the lease's id. Contents that cannot be understood are contents, with a
     * null record; they are not absent.
     *
     * @return what is there
     * @throws LeaseStoreException when it cannot be told what is there
     */
    LeaseSnapshot read() throws LeaseStoreException;

    /**
     * Gives an entirely new lease its random id. Does nothing where another process was faster.
     *
     * <p>Called only where {@link #read()} showed no id and nobody remembers one.
     *
     * @throws LeaseStoreException when the lease is not new, or cannot be created
     */
    void initialize() throws LeaseStoreException;

    /**
     * Writes a record if the lease still is what the caller has seen.
     *
     * <p>A record with sequence 0 is a claim of a new epoch: it is confirmed for at most one claimant, and only where the
     * highest epoch below it still is what {@code expected} shows. Any other record prolongs or releases the holder's own
     * epoch. A write happens entirely or not at all.
     *
     * @param expected the snapshot that the caller's decision rests on
     * @param next the record to write
     * @return what is known after the write
     * @throws LeaseStoreException when it is not known whether the record was written
     */
    WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException;

    /**
     * Asks to be told when the lease may have changed. It is a hint that saves time: notices may be missing, late or
     * superfluous, and a store that has none never calls. A store that cannot be watched at present may throw: it is asked
     * again after a ttl.
     *
     * @param onChange called on a thread of the store's choosing; must return at once
     * @return closes the subscription
     */
    default Closeable watch(Runnable onChange) {
        return () -> {};
    }

    /**
     * Where the lease is, for messages and logs.
     *
     * @return a path or an address without secrets
     */
    String location();
}
