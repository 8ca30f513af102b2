package io.leasehold.state;

import java.util.Map;

/**
 * A place that holds the state of one lease, fenced by epoch. Safe for use by several threads and processes.
 *
 * <p>Opening an epoch seals all lower ones: from then on no commit with a lower epoch is acknowledged.
 */
public interface StateStore {

    /**
     * Reads the highest epoch ever opened and the id of the lease that the state belongs to. Changes nothing.
     *
     * @return what the store remembers
     * @throws StateStoreException when it cannot be told
     */
    StateHead head();

    /**
     * Opens an epoch: seals all lower ones, then takes over the newest state among them. Repeating it with the same holder
     * is allowed until the first write.
     *
     * @param epoch the epoch that was claimed
     * @param holder the claimant's id
     * @param leaseId the lease's id
     * @return the state, opened
     * @throws StateFenceException when an epoch as high or higher was opened by another
     * @throws StateStoreException when the state cannot be opened: the store failed, or holds contents that cannot be
     *     understood
     */
    StateSession open(long epoch, String holder, String leaseId);

    /**
     * Reads the newest state, for anyone. It may be a moment old, and may hold a commit whose outcome its writer does not
     * know yet. Changes nothing.
     *
     * @return an unmodifiable map
     * @throws StateStoreException when the state cannot be read or understood
     */
    Map<String, String> snapshot();

    /**
     * Where the state is, for messages and logs.
     *
     * @return a path or an address without secrets
     */
    String location();
}
