package io.leasehold.jdbc;

import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements, each on a connection that nobody else uses at the time. Where connections are kept, the last one that
 * worked waits for the next call: a pool that the application has used up does not keep the lease from being renewed. One
 * that failed in any way is given back, and the next call takes another. Safe for use by several threads.
 */
final class Sessions implements AutoCloseable {
    /** A statement that lost against another wrote nothing, and mostly wins the next time. */
    private static final int ATTEMPTS = 4;

    private final DataSource dataSource;
    private final JdbcStoreOptions options;
    private final boolean keep;
    private final AtomicReference<@Nullable Session> kept = new AtomicReference<>();
    private volatile boolean closed;

    Sessions(DataSource dataSource, JdbcStoreOptions options, boolean keep) {
        this.dataSource = dataSource;
        this.options = options;
        this.keep = keep;
    }

    /** One statement; each time from its beginning. */
    interface Work<T> {
        T run(Session session) throws SQLException;
    }

    <T> T call(Work<T> work) throws SQLException {
        for (int attempt = 1; ; attempt++) {
            try {
                return callOnce(work);
            } catch (SQLException e) {
                if (attempt == ATTEMPTS || SqlFailure.of(e) != SqlFailure.CONFLICT) {
                    throw e;
                }
            }
        }
    }

    private <T> T callOnce(Work<T> work) throws SQLException {
        // The time to get a connection is the data source's, and one that heeds the flag would fail half way.
        if (Thread.currentThread().isInterrupted()) {
            throw new SQLNonTransientException("The thread was interrupted; nothing was sent to the database");
        }
        Session session = kept.getAndSet(null);
        if (session == null) {
            session = Session.open(dataSource, options);
        }
        Session used = session;
        return BoundedCall.run(() -> run(work, used), options.timeout().multipliedBy(2), used::abort);
    }

    private <T> T run(Work<T> work, Session session) throws SQLException {
        boolean sound = false;
        try {
            T result = work.run(session);
            sound = true;
            return result;
        } finally {
            giveBack(session, sound);
        }
    }

    private void giveBack(Session session, boolean sound) {
        if (!keep || !sound || closed || !kept.compareAndSet(null, session)) {
            session.close();
        } else if (closed) {
            closeKept();
        }
    }

    private void closeKept() {
        Session session = kept.getAndSet(null);
        if (session != null) {
            session.close();
        }
    }

    /** Keeps no connection from now on; calls go on to work. */
    @Override
    public void close() {
        closed = true;
        closeKept();
    }
}
