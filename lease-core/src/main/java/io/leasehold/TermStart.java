package io.leasehold;

import io.leasehold.LeaseObserver.Observed;
import io.leasehold.LeaseObserver.Scope;
import org.jspecify.annotations.Nullable;

/** The start of one term's work by its listeners. Safe for use by several threads. */
final class TermStart {
    private final Lease lease;
    private final Observed observation;
    private final Runnable onStarted;
    private volatile @Nullable Throwable failure;

    /**
     * @param onStarted called when every listener has begun its work, unless the term has begun to end before
     */
    TermStart(Lease lease, Observed observation, Runnable onStarted) {
        this.lease = lease;
        this.observation = observation;
        this.onStarted = onStarted;
    }

    Lease lease() {
        return lease;
    }

    void call(LeaseListener listener) {
        Scope scope = observation.enter();
        try {
            listener.onAcquired(lease);
        } finally {
            scope.close();
        }
    }

    /** One listener could not begin its work: the term surrenders. */
    void failed(Throwable cause) {
        failure = cause;
        lease.drain(SurrenderReason.LISTENER_FAILED);
    }

    /** Every listener has returned, or was not told any more. */
    void end() {
        if (failure != null) {
            observation.end(LeaseOutcome.FAILED, failure);
        } else if (lease.isSurrendering()) {
            observation.end(LeaseOutcome.ABANDONED, null);
        } else {
            onStarted.run();
            observation.end(LeaseOutcome.STARTED, null);
        }
    }
}
