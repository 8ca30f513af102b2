package io.leasehold.store;

import java.time.Duration;
import java.time.Instant;

/**
 * The contents of a lease: one term, as its holder wrote it last. Immutable.
 *
 * @param holder the holder's id; unique for each start of each lease object
 * @param claim a random text drawn for each claim, so that no two claims are ever alike
 * @param epoch the term's number, from 1; the fencing token
 * @param sequence 0 in the claim, higher with every later attempt to write, so that no two writes are alike
 * @param ttl how long the lease counts after its last change; the clock is the observer's own
 * @param expiresAt the holder's wall clock at the write plus the ttl: for people, and for a cold start
 * @param released whether the holder has given the lease up after its work had stopped
 */
public record LeaseRecord(
        String holder, String claim, long epoch, long sequence, Duration ttl, Instant expiresAt, boolean released) {

    /**
     * The same term after one more write.
     *
     * @param newSequence the number of the write
     * @param newTtl the ttl that counts from now on
     * @param newExpiresAt when it ends by the holder's wall clock
     * @return the record to write
     */
    public LeaseRecord renewed(long newSequence, Duration newTtl, Instant newExpiresAt) {
        return new LeaseRecord(holder, claim, epoch, newSequence, newTtl, newExpiresAt, released);
    }

    /**
     * The same term, given up.
     *
     * @param newSequence the number of the write
     * @return the record to write
     */
    public LeaseRecord released(long newSequence) {
        return new LeaseRecord(holder, claim, epoch, newSequence, ttl, expiresAt, true);
    }

    /**
     * Whether both records were written for one claim of one holder.
     *
     * @param other the record to compare with
     * @return true for two writes of one term
     */
    public boolean sameClaim(LeaseRecord other) {
        return epoch == other.epoch && claim.equals(other.claim) && holder.equals(other.holder);
    }
}
