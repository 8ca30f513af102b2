package io.leasehold.jdbc;

import io.leasehold.store.BoundedCall;
import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
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

    /** The state of a connection that failed while it was used. */
    private static final String CONNECTION_FAILED = "08006";

    /** So many calls may be under way, most of which were given up: a pool or a driver that hangs takes no more threads. */
    private static final int RUNNING = 4;

    private final Semaphore running = new Semaphore(RUNNING);
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
        if (!running.tryAcquire()) {
            throw new SQLTransientConnectionException(
                    RUNNING
                            + " earlier calls wait for the database, or for a connection of the pool, and have not ended",
                    CONNECTION_FAILED);
        }
        Attempt<T> attempt = new Attempt<>(work);
        try {
            return BoundedCall.run(attempt, options.timeout().multipliedBy(2), call -> attempt.giveUp());
        } catch (TimeoutException e) {
            throw new SQLTimeoutException(
                    "No connection, or no whole answer, came within twice " + options.timeout(), CONNECTION_FAILED, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLNonTransientException(
                    "The thread was interrupted while it waited for the database", CONNECTION_FAILED, e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SQLException failure) {
                throw failure;
            }
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            attempt.releaseUnlessBegun();
        }
    }

    /**
     * One statement on one connection, on a thread that no transaction of the application is bound to. That is never
     * interrupted: an embedded database would close its files.
     */
    private final class Attempt<T> implements Callable<T> {
        private final Work<T> work;
        private @Nullable Session used;
        private final AtomicBoolean begun = new AtomicBoolean();
        private boolean givenUp;

        Attempt(Work<T> work) {
            this.work = work;
        }

        @Override
        public T call() throws SQLException {
            if (!begun.compareAndSet(false, true)) {
                throw new SQLTimeoutException("Nobody waits for this call any more");
            }
            try {
                return callOn(connection());
            } finally {
                running.release();
            }
        }

        /** Where the call was never begun, for want of a thread or because the caller was interrupted. */
        void releaseUnlessBegun() {
            if (begun.compareAndSet(false, true)) {
                running.release();
            }
        }

        private Session connection() throws SQLException {
            Session session = kept.getAndSet(null);
            return session != null ? session : Session.connect(dataSource, options);
        }

        private T callOn(Session session) throws SQLException {
            boolean sound = false;
            try {
                begin(session);
                session.setUp();
                T result = work.run(session);
                sound = true;
                return result;
            } finally {
                giveBack(session, end() && sound);
            }
        }

        private synchronized void begin(Session session) throws SQLException {
            if (givenUp) {
                throw new SQLTimeoutException("The connection came too late");
            }
            used = session;
        }

        /** Returns whether the connection is one that was not aborted. */
        private synchronized boolean end() {
            used = null;
            return !givenUp;
        }

        /** Holds up the call's end, so that a connection which is somebody else's again is not aborted. */
        synchronized void giveUp() {
            givenUp = true;
            if (used != null) {
                used.abort();
            }
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
