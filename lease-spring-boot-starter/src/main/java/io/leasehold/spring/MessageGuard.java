package io.leasehold.spring;

import io.leasehold.NotHolderException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stands in front of a container's listener: lets messages through while the lease is held, and counts them. */
final class MessageGuard {
    private static final Logger LOG = LoggerFactory.getLogger(MessageGuard.class);
    private static final long WAIT_FOR_STOP_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final BooleanSupplier held;
    private final Runnable onRefusal;
    private final LongAdder refused;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicBoolean streak = new AtomicBoolean();

    /**
     * @param held whether messages may be handled
     * @param onRefusal has the containers that should not be running stopped, without waiting for it
     * @param refused counts the messages that were not let through
     */
    MessageGuard(BooleanSupplier held, Runnable onRefusal, LongAdder refused) {
        this.held = held;
        this.onRefusal = onRefusal;
        this.refused = refused;
    }

    /**
     * Before a message is handled; must be followed by {@link #leave()} if it returns.
     *
     * @throws NotHolderException when the message must not be handled
     */
    void enter(ListenerContainer container) {
        inFlight.incrementAndGet();
        if (held.getAsBoolean()) {
            streak.set(false);
            return;
        }
        try {
            refuse(container);
        } finally {
            inFlight.decrementAndGet();
        }
    }

    /**
     * Before a message is handled, for a source that offers no message again: neither waits nor throws.
     *
     * @return whether it may be handled, and {@link #leave()} must follow; if not, it is to be dropped
     */
    boolean tryEnter(ListenerContainer container) {
        inFlight.incrementAndGet();
        if (held.getAsBoolean()) {
            streak.set(false);
            return true;
        }
        inFlight.decrementAndGet();
        count(container);
        return false;
    }

    void leave() {
        inFlight.decrementAndGet();
    }

    int inFlight() {
        return inFlight.get();
    }

    private void count(ListenerContainer container) {
        refused.increment();
        if (streak.compareAndSet(false, true)) {
            LOG.warn(
                    "Listener {} was given a message while this process does not hold the lease; it is not handled",
                    container.name());
        }
        onRefusal.run();
    }

    private void refuse(ListenerContainer container) {
        count(container);
        // The broker offers a refused message again at once and counts the attempts: be stopped before it is given
        // back.
        long begun = System.nanoTime();
        while (container.isRunning() && System.nanoTime() - begun < WAIT_FOR_STOP_NS) {
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
        throw new NotHolderException("Listener " + container.name()
                + " was given a message while this process does not hold the lease; it was not handled");
    }
}
