package io.leasehold;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Runs tasks at the same time, each on a thread of its own. */
public final class Race {
    private static final int PATIENCE_S = 60;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    /** Lets all tasks begin at once, and returns their results in the order of the tasks. */
    public <T> List<T> run(List<Callable<T>> tasks) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(tasks.size());
        List<Future<T>> running = new ArrayList<>();
        for (Callable<T> task : tasks) {
            running.add(threads.submit(() -> {
                barrier.await();
                return task.call();
            }));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> future : running) {
            results.add(future.get(PATIENCE_S, TimeUnit.SECONDS));
        }
        return results;
    }

    /** Ends the threads. */
    public void end() throws InterruptedException {
        threads.shutdownNow();
        if (!threads.awaitTermination(PATIENCE_S, TimeUnit.SECONDS)) {
            throw new IllegalStateException("A task of a race goes on");
        }
    }
}
