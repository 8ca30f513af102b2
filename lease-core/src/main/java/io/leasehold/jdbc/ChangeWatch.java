package io.leasehold.jdbc;

import java.io.Closeable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that waits on a connection of its own for PostgreSQL's notices, and connects again when that is lost. It ends at
 * once where the database is another. Even the first connection is taken by this thread: a pool that is used up, or a
 * server that is down, must not hold up who asks for the watch.
 */
final class ChangeWatch implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeWatch.class);

    /** How long the driver waits at a time, and with it the longest that closing takes. */
    private static final int WAIT_MS = 500;

    /** A connection that is dead without a word is noticed after so many quiet waits. */
    private static final int QUIET_WAITS = 20;

    private static final int VALID_SECONDS = 2;

    private final DataSource dataSource;
    private final JdbcStoreOptions options;
    private final Notices notices;
    private final Runnable onChange;
    private final CountDownLatch closed = new CountDownLatch(1);

    private ChangeWatch(DataSource dataSource, JdbcStoreOptions options, Notices notices, Runnable onChange) {
        this.dataSource = dataSource;
        this.options = options;
        this.notices = notices;
        this.onChange = onChange;
    }

    static ChangeWatch start(DataSource dataSource, JdbcStoreOptions options, Notices notices, Runnable onChange) {
        ChangeWatch watch = new ChangeWatch(dataSource, options, notices, onChange);
        Thread thread = new Thread(watch::run, "lease-jdbc-watch");
        thread.setDaemon(true);
        thread.start();
        return watch;
    }

    @Override
    public void close() {
        closed.countDown();
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void run() {
        boolean again = true;
        while (again && !isClosed()) {
            again = listenOnce();
            if (again) {
                rest();
            }
        }
    }

    /** Returns whether it is worth to connect again. */
    private boolean listenOnce() {
        try (Session session = Session.open(dataSource, options)) {
            if (!knowsNotices(session.connection())) {
                return false;
            }
            listen(session.connection());
            return !isClosed();
        } catch (SQLException | RuntimeException e) {
            LOG.debug("Notices are lost; until they are back the lease is looked at every renew interval", e);
            return true;
        }
    }

    private static boolean knowsNotices(Connection connection) throws SQLException {
        try {
            return PostgresNotices.areIn(connection);
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }

    private void listen(Connection connection) throws SQLException {
        execute(connection, "listen " + notices.channel());
        try {
            notices.areHeardFromNow();
            // Whatever happened while nobody listened may be news.
            onChange.run();
            await(connection);
        } finally {
            if (!connection.isClosed()) {
                execute(connection, "unlisten " + notices.channel());
            }
        }
    }

    private void await(Connection connection) throws SQLException {
        int quiet = 0;
        while (!isClosed()) {
            if (PostgresNotices.await(connection, WAIT_MS)) {
                quiet = 0;
                onChange.run();
            } else if (++quiet == QUIET_WAITS) {
                quiet = 0;
                if (!connection.isValid(VALID_SECONDS)) {
                    throw new SQLException("The connection for notices is dead");
                }
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** Between two connections; an interrupt by a stranger does not end the watch. */
    private void rest() {
        try {
            closed.await(WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            LOG.debug("An interrupt does not end the watch", e);
        }
    }
}
