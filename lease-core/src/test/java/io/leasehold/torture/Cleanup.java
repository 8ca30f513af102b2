package io.leasehold.torture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;

/** What has to be undone once, at the end of a test or else when the machine that runs the tests is shut down. */
final class Cleanup implements AutoCloseable {
    /** What undoes it. */
    interface Action {
        void run() throws IOException, InterruptedException;
    }

    private final Action action;
    private final AtomicBoolean done = new AtomicBoolean();
    private final Thread hook = new Thread(this::runOnce);

    Cleanup(Action action) {
        this.action = action;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(hook);
        runOnce();
    }

    private void runOnce() {
        if (!done.compareAndSet(false, true)) {
            return;
        }
        try {
            action.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
