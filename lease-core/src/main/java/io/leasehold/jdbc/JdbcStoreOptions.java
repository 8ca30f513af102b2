package io.leasehold.jdbc;

import java.time.Duration;
import java.util.regex.Pattern;

/**
 * Which tables hold leases and states, and how long a statement may take. Immutable.
 *
 * @param leaseTable the table of leases: letters, digits and underscores, after a schema and a dot where one is needed
 * @param stateTable the table of states, likewise
 * @param timeout how long a statement may take, at least a millisecond; shorter than the renew interval. An answer that
 *     comes in pieces may take twice as long, with the time to get a connection
 * @param notices whether a hand-over is told by PostgreSQL's NOTIFY, which keeps one more connection to LISTEN on; without
 *     effect elsewhere
 */
public record JdbcStoreOptions(String leaseTable, String stateTable, Duration timeout, boolean notices) {

    private static final Pattern TABLE = Pattern.compile("([A-Za-z_]\\w{0,62}\\.)?[A-Za-z_]\\w{0,62}");

    /** The tables {@code lease} and {@code lease_state}, two seconds a statement, and notices. */
    public static final JdbcStoreOptions DEFAULTS =
            new JdbcStoreOptions("lease", "lease_state", Duration.ofSeconds(2), true);

    /**
     * Checks every value.
     *
     * @param leaseTable the table of leases
     * @param stateTable the table of states
     * @param timeout how long a statement may take
     * @param notices whether a hand-over is told by PostgreSQL's NOTIFY
     * @throws IllegalArgumentException when a table's name is no plain name, both are one, or the time-out is no positive
     *     number of milliseconds
     */
    public JdbcStoreOptions {
        requireTable(leaseTable);
        requireTable(stateTable);
        if (leaseTable.equalsIgnoreCase(stateTable)) {
            throw new IllegalArgumentException(
                    "Leases and states need two tables, and both are named '" + leaseTable + "'");
        }
        if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "A statement's time-out has to be between 1 ms and a day, and is " + timeout);
        }
    }

    private static void requireTable(String name) {
        if (!TABLE.matcher(name).matches()) {
            throw new IllegalArgumentException("A table's name has letters, digits and underscores, at most 63, after a"
                    + " schema and a dot where one is needed; this one has other characters or is too long or empty");
        }
    }

    /** What counts for sockets. */
    int timeoutMs() {
        return (int) timeout.toMillis();
    }

    /** Whole seconds that pass before the time-out of the socket where there are any; 0 would mean for ever. */
    int timeoutSeconds() {
        return Math.max(1, (timeoutMs() - 1) / 1000);
    }
}
