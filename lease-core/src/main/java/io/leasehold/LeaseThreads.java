package io.leasehold;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that all leases of this process share: one timer, which never blocks, and workers, which are held only by work
 * that does. They exist while a lease contends.
 */
final class LeaseThreads {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseThreads.class);
    private static final long RETRY_MS = 100;

    private static @Nullable LeaseThreads shared;
    private static int users;

    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService workers;

    private LeaseThreads() {
        timer = new ScheduledThreadPoolExecutor(1, daemon("lease-timer"));
        timer.setRemoveOnCancelPolicy(true);
        workers = Executors.newCachedThreadPool(daemon("lease-worker"));
    }

    /** Begins a use; each is ended by one {@link #release()}. */
    static synchronized LeaseThreads acquire() {
        if (shared == null) {
            shared = new LeaseThreads();
        }
        users++;
        return shared;
    }

    /** Ends a use; the last one ends the threads, as soon as what they do is done. */
    static synchronized void release() {
        users--;
        if (users == 0 && shared != null) {
            shared.timer.shutdownNow();
            shared.workers.shutdown();
            shared = null;
        }
    }

    ScheduledExecutorService timer() {
        return timer;
    }

    /** Runs a task on a worker; where the machine has no thread left, a little later. */
    void execute(Runnable task) {
        try {
            workers.execute(task);
        } catch (OutOfMemoryError e) {
            LOG.error("No thread is left for a lease's work; trying again", e);
            ScheduledFuture<?> unused = timer.schedule(() -> execute(task), RETRY_MS, TimeUnit.MILLISECONDS);
        }
    }

    private static ThreadFactory daemon(String name) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
