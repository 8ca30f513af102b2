package io.leasehold.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** The one class that needs PostgreSQL's driver; without it, using this class throws a {@link NoClassDefFoundError}. */
final class PostgresNotices {
    private PostgresNotices() {}

    /** Whether a connection is one of PostgreSQL's driver. */
    static boolean areIn(Connection connection) throws SQLException {
        return connection.isWrapperFor(PGConnection.class);
    }

    /** Waits for a notice; returns whether one came. */
    static boolean await(Connection connection, int timeoutMs) throws SQLException {
        PGNotification[] found = connection.unwrap(PGConnection.class).getNotifications(timeoutMs);
        return found != null && found.length > 0;
    }
}
