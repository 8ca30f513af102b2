package io.leasehold.kubernetes;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request that ends in time. The client's own time-out ends with the headers of an answer: a body that never comes would
 * be waited for for ever.
 */
final class BoundedCall {
    private BoundedCall() {}

    /** Runs a request on a thread of its own, which is interrupted when the time is over. */
    static <T extends @Nullable Object> T run(Supplier<T> request, Duration limit)
            throws TimeoutException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        FutureTask<T> task = new FutureTask<>(request::get);
        Thread thread = new Thread(task, "lease-kubernetes-call");
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            task.cancel(true);
        }
    }
}
