package io.leasehold.spring;

import io.leasehold.Lease;
import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How far the containers that follow one lease are, all together. Safe for use by several threads. */
final class ListenersProgress {
    private final Duration drainTimeout;
    private final LongAdder startFailures = new LongAdder();
    private volatile ListenersStage stage = ListenersStage.HELD_BACK;
    private volatile long sinceNs = System.nanoTime();
    private volatile @Nullable String startFailure;

    ListenersProgress(Duration drainTimeout) {
        this.drainTimeout = drainTimeout;
    }

    synchronized void enter(ListenersStage next) {
        stage = next;
        sinceNs = System.nanoTime();
    }

    /** Enters a stage at which no start has failed, or none matters any more. */
    void enterWell(ListenersStage next) {
        startFailure = null;
        enter(next);
    }

    void startFailed(String failure) {
        startFailures.increment();
        startFailure = failure;
    }

    /** Whether the drain timeout passes with this call; once for each stop. */
    synchronized boolean becomesOverdue(Lease ended) {
        boolean passed = drainTimeout.isZero() ? !ended.isHeld() : System.nanoTime() - sinceNs > drainTimeout.toNanos();
        if (stage != ListenersStage.STOPPING || !passed) {
            return false;
        }
        enter(ListenersStage.STOP_NOT_CONFIRMED);
        return true;
    }

    ListenersStage stage() {
        return stage;
    }

    Duration since() {
        return Duration.ofNanos(System.nanoTime() - sinceNs);
    }

    /** Why the last attempt to start failed; null where none has in this term. */
    @Nullable
    String startFailure() {
        return startFailure;
    }

    long startFailures() {
        return startFailures.sum();
    }
}
