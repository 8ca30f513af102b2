package io.leasehold.spring;

import io.leasehold.Lease;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Lets calls through that only the holder of one lease may make, and counts them. Safe for use by several threads. */
final class LeaderCalls {
    private final Supplier<@Nullable Lease> admitting;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final LongAdder skipped = new LongAdder();

    /**
     * @param admitting the term whose work has begun and has not been seen to end; null between terms
     */
    LeaderCalls(Supplier<@Nullable Lease> admitting) {
        this.admitting = admitting;
    }

    /** Whether a call may be made now; if so, {@link #end()} must follow. */
    boolean begin() {
        // Counted before the look: a surrender that begins after it waits for this call.
        inFlight.incrementAndGet();
        Lease term = admitting.get();
        if (term != null && !term.isSurrendering()) {
            return true;
        }
        end();
        skipped.increment();
        return false;
    }

    void end() {
        inFlight.decrementAndGet();
    }

    int inFlight() {
        return inFlight.get();
    }

    long skipped() {
        return skipped.sum();
    }
}
