package io.leasehold.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one look at a lease showed: the highest epoch and its contents. Immutable.
 *
 * <p>When a snapshot is returned, its contents had been read before the store last saw that there was no higher epoch.
 *
 * @param leaseId the random id that the lease was given when it was created; null where it has none
 * @param epoch the highest epoch, 0 where there is none
 * @param contents the exact contents as text; empty where there is no epoch. Two snapshots with one epoch and equal
 *     contents show an unchanged lease, readable or not
 * @param record the contents parsed; null where there are none or they cannot be understood
 * @param ttl the ttl that the record names; where it cannot be understood the largest that older epochs name, or zero
 */
public record LeaseSnapshot(
        @Nullable String leaseId,
        long epoch,
        String contents,
        @Nullable LeaseRecord record,
        Duration ttl) {

    /**
     * A lease that nobody has ever held.
     *
     * @param leaseId the lease's id, null where it has none
     * @return a snapshot with epoch 0
     */
    public static LeaseSnapshot empty(@Nullable String leaseId) {
        return new LeaseSnapshot(leaseId, 0, "", null, Duration.ZERO);
    }

    /**
     * Whether both snapshots show the same epoch with the same contents.
     *
     * @param other the snapshot to compare with
     * @return true where nothing was written between the two
     */
    public boolean unchangedFrom(LeaseSnapshot other) {
        return epoch == other.epoch && contents.equals(other.contents);
    }
}
