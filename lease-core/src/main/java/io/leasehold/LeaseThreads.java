package io.leasehold;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that all leases of this process share: one timer, which never blocks, and workers, which are held only by work
 * that does. Each thread ends when it has had nothing to do for a few seconds, so none is left when no lease contends. They
 * are never shut down: a listener that hangs can return long after its lease has closed, and is owed its next call.
 */
final class LeaseThreads {
    /** The threads of this process. */
    static final LeaseThreads SHARED = new LeaseThreads(daemon("lease-timer"), daemon("lease-worker"));

    private static final Logger LOG = LoggerFactory.getLogger(LeaseThreads.class);
    private static final long RETRY_MS = 100;
    private static final long IDLE_S = 3;

    private final ScheduledThreadPoolExecutor timer;
    private final ExecutorService workers;

    LeaseThreads(ThreadFactory timers, ThreadFactory workers) {
        this.timer = new ScheduledThreadPoolExecutor(1, timers);
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE_S, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        this.workers = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), workers);
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
            // Nothing of the thread that happens to need the first one is handed on to the work of others.
            Thread thread = new Thread(null, task, name + "-" + number.incrementAndGet(), 0, false);
            thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
            thread.setDaemon(true);
            return thread;
        };
    }
}
