package io.leasehold.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection of one's own, set up so that each statement commits by itself and ends in time; given back as it was. */
final class Session implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final int UNKNOWN = -1;

    private final Connection connection;
    private final JdbcStoreOptions options;
    private boolean isSetUp;
    private boolean autoCommit = true;
    private int networkTimeoutMs = UNKNOWN;
    private int queryTimeoutSeconds = UNKNOWN;

    private Session(Connection connection, JdbcStoreOptions options) {
        this.connection = connection;
        this.options = options;
    }

    /** A connection that is not set up yet. */
    static Session connect(DataSource dataSource, JdbcStoreOptions options) throws SQLException {
        return new Session(dataSource.getConnection(), options);
    }

    static Session open(DataSource dataSource, JdbcStoreOptions options) throws SQLException {
        Session session = connect(dataSource, options);
        try {
            session.setUp();
            return session;
        } catch (SQLException | RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** May take a round trip to the database; does nothing where it was done before. */
    void setUp() throws SQLException {
        if (isSetUp) {
            return;
        }
        isSetUp = true;
        setUpNetworkTimeout(options.timeoutMs());
        autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.setAutoCommit(true);
        }
    }

    private void setUpNetworkTimeout(int timeoutMs) throws SQLException {
        try {
            int before = connection.getNetworkTimeout();
            connection.setNetworkTimeout(Runnable::run, timeoutMs);
            networkTimeoutMs = before;
        } catch (SQLFeatureNotSupportedException e) {
            LOG.debug("The driver knows no network time-out; a statement's own time-out counts", e);
        }
    }

    /** In some databases, H2 among them, a statement's time-out is the whole connection's. */
    private void setQueryTimeoutBack() throws SQLException {
        if (queryTimeoutSeconds != UNKNOWN) {
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(queryTimeoutSeconds);
            }
        }
    }

    Connection connection() {
        return connection;
    }

    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            if (queryTimeoutSeconds == UNKNOWN) {
                queryTimeoutSeconds = statement.getQueryTimeout();
            }
            statement.setQueryTimeout(options.timeoutSeconds());
            return statement;
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
    }

    /** Ends the connection under whoever waits for an answer on it. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be aborted", e);
        }
    }

    /** A broken connection cannot be set back, and must be given back all the same. */
    @Override
    public void close() {
        try {
            if (!connection.isClosed()) {
                if (!autoCommit) {
                    connection.setAutoCommit(false);
                }
                setQueryTimeoutBack();
                if (networkTimeoutMs != UNKNOWN) {
                    connection.setNetworkTimeout(Runnable::run, networkTimeoutMs);
                }
            }
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be set back to what it was", e);
        }
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("A connection could not be closed", e);
        }
    }
}
