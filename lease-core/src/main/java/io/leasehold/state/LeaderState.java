package io.leasehold.state;

import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The application's view of the state: text entries that only the leader can read and change, kept from term to term.
 * Safe for use by several threads; concurrent commits share one write.
 *
 * <p>Every method except the reads blocks until the commit is durable and no higher epoch had been opened by then, or
 * until the term has ended and a renew interval has passed. Methods throw {@link io.leasehold.NotHolderException}
 * where this process does not lead: nothing was written. They throw {@link StateFenceException} where a successor was found:
 * the term then ends with reason {@link io.leasehold.SurrenderReason#FENCED}, the process goes back to standby, and the
 * outcome is unknown. They throw {@link StateStoreException} where the outcome is unknown for any other reason, an interrupt
 * among them (the thread's interrupt flag stays set); reads then still show the last acknowledged entries, and the next
 * commit settles it.
 *
 * <p>Keys and values are any text except unpaired surrogates, which have no UTF-8 form and are refused with an {@link
 * IllegalArgumentException}. The whole state is rewritten with every commit: keep it to checkpoints and the like.
 */
public interface LeaderState {

    /**
     * The value last acknowledged for a key.
     *
     * @param key the key
     * @return its value, or empty
     */
    Optional<String> get(String key);

    /**
     * All entries last acknowledged.
     *
     * @return an unmodifiable map
     */
    Map<String, String> entries();

    /**
     * Sets and removes entries in one atomic commit.
     *
     * @param entries what to set
     * @param removals the keys to remove; none of them may also be set
     */
    void commit(Map<String, String> entries, Set<String> removals);

    /**
     * Sets entries in one atomic commit.
     *
     * @param entries what to set
     */
    default void commit(Map<String, String> entries) {
        commit(entries, Set.of());
    }

    /**
     * Sets one entry.
     *
     * @param key the key
     * @param value its new value
     */
    default void commit(String key, String value) {
        commit(Map.of(key, value), Set.of());
    }

    /**
     * Removes one entry, if it is there.
     *
     * @param key the key
     */
    default void remove(String key) {
        commit(Map.of(), Set.of(key));
    }

    /**
     * The epoch of the term that this state belongs to.
     *
     * @return its number
     */
    long epoch();
}
