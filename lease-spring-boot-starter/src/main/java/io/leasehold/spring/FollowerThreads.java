package io.leasehold.spring;

import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The threads with which the containers of all leases in this process are looked after: one timer, workers that are held only
 * by work that blocks, and one thread that does nothing but keep the process alive. Each ends when it has had nothing to do
 * for a few seconds.
 */
final class FollowerThreads implements Executor {
    /** The threads of this process. */
    static final FollowerThreads SHARED = new FollowerThreads();

    private static final Logger LOG = LoggerFactory.getLogger(FollowerThreads.class);
    private static final long IDLE_S = 3;
    private static final long RETRY_MS = 100;

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, daemon("lease-listeners-timer-"));
    private final Executor workers = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), daemon("lease-listeners-"));
    private @Nullable Thread keptAlive;
    private int holds;

    private FollowerThreads() {
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE_S, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /** Runs a task that may block; where the machine has no thread left, a little later. */
    @Override
    public void execute(Runnable task) {
        try {
            workers.execute(task);
        } catch (OutOfMemoryError e) {
            LOG.error("No thread is left to look after listeners; trying again", e);
            Future<?> unused = timer.schedule(() -> execute(task), RETRY_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Runs a task again and again on a worker; a run that would overlap the one before is left out. */
    Future<?> repeat(Runnable task, long everyNs) {
        AtomicBoolean atWork = new AtomicBoolean();
        Runnable once = () -> {
            try {
                task.run();
            } finally {
                atWork.set(false);
            }
        };
        return timer.scheduleWithFixedDelay(
                () -> {
                    if (atWork.compareAndSet(false, true)) {
                        // Never throws for want of a thread, which would end the repetition.
                        execute(once);
                    }
                },
                everyNs,
                everyNs,
                TimeUnit.NANOSECONDS);
    }

    /** Keeps the process alive until {@link #letEnd()} has been called as often as this. */
    synchronized void keepAlive() {
        if (keptAlive == null) {
            Thread thread = new Thread(this::live, "lease-keep-alive");
            thread.setDaemon(false);
            // It begins with this monitor, and so after what follows.
            thread.start();
            keptAlive = thread;
        }
        holds++;
    }

    /** Gives one {@link #keepAlive()} back. */
    synchronized void letEnd() {
        holds--;
        notifyAll();
    }

    private synchronized void live() {
        while (holds > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                LOG.debug("Interrupted, and goes on: what it keeps the process alive for has not ended", e);
            }
        }
        keptAlive = null;
    }

    private static CustomizableThreadFactory daemon(String prefix) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(prefix);
        threads.setDaemon(true);
        return threads;
    }
}
