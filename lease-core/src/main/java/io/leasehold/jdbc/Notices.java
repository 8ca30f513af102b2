package io.leasehold.jdbc;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * How PostgreSQL tells of a hand-over: by a notice on a channel of the lease's own. Notices are sent only where this
 * process listens itself, so databases that know none are sent none. Safe for use
 * by several threads.
 */
final class Notices {
    private final String channel;
    private volatile boolean heard;

    Notices(String table, String name) {
        this.channel = "lease_"
                + UUID.nameUUIDFromBytes((table + "/" + name).getBytes(StandardCharsets.UTF_8))
                        .toString()
                        .replace('-', '_');
    }

    /** A plain identifier, whatever the names of the table and the lease are. */
    String channel() {
        return channel;
    }

    void areHeardFromNow() {
        heard = true;
    }

    boolean areHeard() {
        return heard;
    }

    /** The statement, with a notice if it writes: then it has one row as its result. The channel is its last parameter. */
    String telling(String sql) {
        return "with written as (" + sql + " returning 1) select pg_notify(?, '') from written";
    }
}
