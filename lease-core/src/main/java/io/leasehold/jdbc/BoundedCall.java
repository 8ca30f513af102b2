package io.leasehold.jdbc;

import java.sql.SQLException;
import java.sql.SQLNonTransientException;
import java.sql.SQLTimeoutException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call of a driver that ends in time. The time-outs of drivers begin anew with each piece that comes: an answer that drips
 * would be waited for as long as it does.
 */
final class BoundedCall {
    /** The state of a connection that failed while it was used. */
    private static final String CONNECTION_FAILED = "08006";

    private BoundedCall() {}

    /**
     * Runs a call on a thread of its own. That is never interrupted, because an embedded database would close its files; a
     * call that is given up goes on until the driver returns.
     *
     * @param giveUp makes the driver return, if it can; may take as long as the call
     */
    static <T> T run(Callable<T> call, Duration limit, Runnable giveUp) throws SQLException {
        FutureTask<T> task = new FutureTask<>(call);
        begin("lease-jdbc-call", task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            begin("lease-jdbc-abort", giveUp);
            throw new SQLTimeoutException("The database's answer was not complete within " + limit, CONNECTION_FAILED);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLNonTransientException("The thread was interrupted while it waited for the database", e);
        } catch (ExecutionException e) {
            throw failure(e);
        }
    }

    private static SQLException failure(ExecutionException thrown) {
        if (thrown.getCause() instanceof SQLException failure) {
            return failure;
        }
        if (thrown.getCause() instanceof RuntimeException failure) {
            throw failure;
        }
        throw new IllegalStateException(thrown.getCause());
    }

    private static void begin(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
