package io.leasehold.state;

import java.util.Map;

/** The state opened for one epoch. Used by one thread at a time. */
public interface StateSession {

    /**
     * The entries that were found when the epoch was opened.
     *
     * @return an unmodifiable map
     */
    Map<String, String> entries();

    /**
     * Makes these entries the whole state, atomically, and returns only if no higher epoch had been opened by then.
     *
     * @param entries all entries
     * @throws StateFenceException when a higher epoch was opened; the outcome is unknown
     * @throws StateStoreException when the outcome is unknown for any other reason; a later write settles it
     */
    void write(Map<String, String> entries);
}
