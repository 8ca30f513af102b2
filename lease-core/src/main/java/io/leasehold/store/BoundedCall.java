package io.leasehold.store;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call to a server that ends in time, whatever the client's library and the network do. The time-outs of libraries do not
 * see to that: one ends with the headers of an answer, another begins anew with each piece that comes.
 */
public final class BoundedCall {
    private static final Logger LOG = LoggerFactory.getLogger(BoundedCall.class);
    private static final long IDLE_S = 3;
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** As many as there are calls at once; each ends when it has had nothing to do for a few seconds. */
    private static final ExecutorService THREADS = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), BoundedCall::newThread);

    private BoundedCall() {}

    /**
     * Runs a call on another thread and waits for it. A call that is given up goes on until the library returns.
     *
     * @param <T> the type of the answer
     * @param call the call; interrupts of the caller reach it only by way of {@code giveUp}
     * @param limit how long it is waited for
     * @param giveUp makes a call return that nobody waits for any more, if it can; runs on a third thread, and may wait
     * @return the answer
     * @throws TimeoutException when it did not come within the limit
     * @throws InterruptedException when the caller was interrupted, before or meanwhile; nothing was begun if before
     * @throws ExecutionException when the call threw its cause
     */
    public static <T extends @Nullable Object> T run(Callable<T> call, Duration limit, Consumer<Future<T>> giveUp)
            throws TimeoutException, InterruptedException, ExecutionException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Future<T> answer = THREADS.submit(call);
        try {
            return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            if (!answer.isDone()) {
                end(answer, giveUp);
            }
        }
    }

    private static <T extends @Nullable Object> void end(Future<T> answer, Consumer<Future<T>> giveUp) {
        try {
            THREADS.execute(() -> giveUp.accept(answer));
        } catch (OutOfMemoryError e) {
            LOG.error("No thread is left to end a call that is waited for no more; it goes on", e);
        }
    }

    /** Nothing of the thread that happens to make the first call is handed on to the calls of others. */
    private static Thread newThread(Runnable task) {
        Thread thread = new Thread(null, task, "lease-call-" + NUMBER.incrementAndGet(), 0, false);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.setDaemon(true);
        return thread;
    }
}
