package io.leasehold;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Holds up every thread that comes to it, until it is opened; closing a test's gate opens it. Opened for good. */
final class Gate implements AutoCloseable {
    private static final long PATIENCE_S = 60;

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** Waits until the gate is open. An interrupt here is a fault: it would hit a file that is being written. */
    void pass() {
        reached.countDown();
        await(opened);
    }

    /** Waits until a thread has come to the gate. */
    void awaitReached() {
        await(reached);
    }

    boolean isReached() {
        return reached.getCount() == 0;
    }

    boolean isOpen() {
        return opened.getCount() == 0;
    }

    void open() {
        opened.countDown();
    }

    @Override
    public void close() {
        open();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE_S, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Nothing happened at the gate");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted at the gate", e);
        }
    }
}
