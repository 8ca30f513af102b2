package io.leasehold.store;

import org.jspecify.annotations.Nullable;

/**
 * A lease that is replaced as a whole, on the condition that it still is what was read: in a database, a key-value store or
 * an object store. A back end reads, writes under the condition, and says whether it held; what a refused or unanswered
 * write means is decided here, once for all of them.
 *
 * <p>A refused renew may find the holder's own record, which an earlier write of unknown outcome left there, or no record,
 * where somebody deleted it: both are replaced, on the condition of what was found. A claim is made on what its claimant
 * observed and on nothing else. A write whose answer was lost is looked for: the very record read back is confirmed. Because
 * each write names the sequence that it replaces, one that arrives late changes nothing.
 *
 * <p>The lease's id is its address, so there is nothing to initialize.
 */
public abstract class ConditionalLeaseStore implements LeaseStore {
    private static final int ATTEMPTS = 4;

    /** A store without a connection. */
    protected ConditionalLeaseStore() {}

    /**
     * Writes a record if the lease still is what was read. One conditional write: no retries, no second look.
     *
     * @param expected what has to be there, as {@link #read()} of this or another object of the same lease returned it; an
     *     epoch of 0 means nothing
     * @param next the record to write
     * @return false where something else was there and nothing was written
     * @throws LeaseStoreException when it is not known whether the record was written
     */
    protected abstract boolean write(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException;

    /**
     * Looks once, before anybody relies on it, whether this process may do with the lease what it has to. Writes nothing.
     *
     * @throws UnsuitableStoreException when a person has to change something first
     * @throws LeaseStoreException when that cannot be told, because the server cannot be reached, say
     */
    public void check() throws LeaseStoreException {
        LeaseSnapshot unused = read();
    }

    @Override
    public final void initialize() throws LeaseStoreException {
        // The lease has its id from the beginning.
    }

    @Override
    public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        LeaseSnapshot basis = expected;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            if (!mayFollow(basis, next)) {
                return WriteOutcome.SUPERSEDED;
            }
            LeaseStoreException unanswered = null;
            try {
                if (write(basis, next)) {
                    return WriteOutcome.CONFIRMED;
                }
            } catch (LeaseStoreException e) {
                unanswered = e;
            }
            LeaseSnapshot found = lookAfter(unanswered);
            if (next.equals(found.record())) {
                return WriteOutcome.CONFIRMED;
            }
            if (unanswered != null) {
                throw unanswered;
            }
            if (isClaim(next) && !found.unchangedFrom(expected)) {
                return WriteOutcome.SUPERSEDED;
            }
            basis = found;
        }
        throw new LeaseStoreException("The lease at " + location() + " refused a write with epoch " + next.epoch()
                + " again and again, though nothing there stands against it");
    }

    private LeaseSnapshot lookAfter(@Nullable LeaseStoreException unanswered) throws LeaseStoreException {
        try {
            return read();
        } catch (LeaseStoreException e) {
            if (unanswered == null) {
                throw e;
            }
            unanswered.addSuppressed(e);
            throw unanswered;
        }
    }

    private static boolean isClaim(LeaseRecord next) {
        return next.sequence() == 0;
    }

    private static boolean mayFollow(LeaseSnapshot basis, LeaseRecord next) {
        if (isClaim(next) || basis.epoch() != next.epoch()) {
            return next.epoch() > basis.epoch();
        }
        LeaseRecord there = basis.record();
        return there == null || (there.sameClaim(next) && there.sequence() < next.sequence() && !there.released());
    }
}
