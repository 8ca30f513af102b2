package io.leasehold.state;

import java.util.Map;

/**
 * The whole state of a lease, as one write left it. Immutable.
 *
 * @param leaseId the id of the lease that the state belongs to
 * @param holder who opened the epoch
 * @param epoch the highest epoch that was opened
 * @param sequence rises with every attempt to write, so that no two writes are alike
 * @param entries the state
 */
public record StateRecord(String leaseId, String holder, long epoch, long sequence, Map<String, String> entries) {

    /**
     * A state.
     *
     * @param leaseId the id of the lease that the state belongs to
     * @param holder who opened the epoch
     * @param epoch the highest epoch that was opened
     * @param sequence rises with every attempt to write
     * @param entries the state; copied
     */
    public StateRecord {
        entries = Map.copyOf(entries);
    }

    /**
     * Whether both were left by the same write, without a look at the entries.
     *
     * @param other the record to compare with
     * @return true where epoch, holder and sequence are equal
     */
    public boolean sameWrite(StateRecord other) {
        return epoch == other.epoch && sequence == other.sequence && holder.equals(other.holder);
    }
}
