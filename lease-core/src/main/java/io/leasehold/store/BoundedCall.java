package io.leasehold.store;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A call to a server that ends in time, whatever the client's library and the network do. The time-outs of libraries do not
 * see to that: one ends with the headers of an answer, another begins anew with each piece that comes.
 */
public final class BoundedCall {
    private BoundedCall() {}

    /**
     * Runs a call on a daemon thread of its own and waits for it. A call that is given up goes on until the library returns.
     *
     * @param <T> the type of the answer
     * @param name what the thread is called
     * @param call the call; the caller's interrupts do not reach it
     * @param limit how long it is waited for
     * @param giveUp makes a call return that nobody waits for any more, if it can; is given the call's thread, and runs on
     *     one of its own
     * @return the answer
     * @throws TimeoutException when it did not come within the limit
     * @throws InterruptedException when the caller was interrupted, before or meanwhile; nothing was begun if before
     * @throws ExecutionException when the call threw its cause
     */
    public static <T extends @Nullable Object> T run(
            String name, Callable<T> call, Duration limit, Consumer<Thread> giveUp)
            throws TimeoutException, InterruptedException, ExecutionException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = begin(name, task);
        try {
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
            if (!task.isDone()) {
                Thread unused = begin(name + "-end", () -> giveUp.accept(thread));
            }
        }
    }

    private static Thread begin(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
