package io.leasehold;

import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What this process remembers of a lease from one start to the next. Safe for use by several threads. */
final class LeaseMemory {
    private @Nullable String leaseId;
    private long highestEpoch;
    private Duration longestTtl;
    private @Nullable String lastFailure;
    private boolean reachable = true;

    LeaseMemory(Duration ownTtl) {
        longestTtl = ownTtl;
    }

    /** The id of the lease that this process first saw, or that its state belongs to; null while none is known. */
    synchronized @Nullable String leaseId() {
        return leaseId;
    }

    /** The highest epoch this process has ever seen, in the lease or in the state. */
    synchronized long highestEpoch() {
        return highestEpoch;
    }

    /** The largest of the own ttl and every ttl seen. */
    synchronized Duration longestTtl() {
        return longestTtl;
    }

    /** The message of the last failure of the lease store; null where there was none. */
    synchronized @Nullable String lastFailure() {
        return lastFailure;
    }

    /** Whether the last look at the lease succeeded. */
    synchronized boolean isReachable() {
        return reachable;
    }

    synchronized void lookFailed(Exception failure) {
        lastFailure = failure instanceof LeaseStoreException ? failure.getMessage() : failure.toString();
        reachable = false;
    }

    synchronized void lookSucceeded() {
        reachable = true;
    }

    synchronized void sawEpoch(long epoch) {
        highestEpoch = Math.max(highestEpoch, epoch);
    }

    synchronized void saw(LeaseSnapshot snapshot) {
        sawEpoch(snapshot.epoch());
        if (snapshot.ttl().compareTo(longestTtl) > 0) {
            longestTtl = snapshot.ttl();
        }
    }

    /** Accepts an id that is the one known, or the first one; anything else means another lease or an emptied one. */
    synchronized void recognize(@Nullable String found, String location) throws LeaseStoreException {
        if (leaseId == null) {
            leaseId = found;
        } else if (!leaseId.equals(found)) {
            throw new LeaseStoreException("The lease at " + location
                    + " is not the one that was used before: its id is "
                    + (found == null ? "missing" : found) + ", and " + leaseId
                    + " is remembered. It may be emptied, not mounted, or another lease's. If it is the right place,"
                    + " confirm that by writing " + leaseId + " as the id into its marker, or, where it has none"
                    + " because it is on a server, by writing its id into the state as the lease's.");
        }
    }
}
