package io.leasehold;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An observer behind a wall: what it throws is logged, once for a streak of operations, and goes no further. */
final class GuardedObserver implements LeaseObserver {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedObserver.class);

    private final LeaseObserver observer;
    private final AtomicBoolean failing = new AtomicBoolean();

    GuardedObserver(LeaseObserver observer) {
        this.observer = observer;
    }

    @Override
    public Observed begin(LeaseOperation operation, String lease, String holder, long epoch) {
        try {
            return new Guarded(lease, operation, observer.begin(operation, lease, holder, epoch));
        } catch (Throwable e) {
            failed(lease, operation, e);
            return Observers.UNOBSERVED;
        }
    }

    private void failed(String lease, LeaseOperation operation, Throwable cause) {
        if (failing.compareAndSet(false, true)) {
            LOG.warn("Lease {}: {} fails to observe {}; the lease goes on", lease, observer, operation, cause);
        }
    }

    private final class Guarded implements Observed {
        private final String lease;
        private final LeaseOperation operation;
        private final Observed begun;
        private volatile boolean failed;

        Guarded(String lease, LeaseOperation operation, Observed begun) {
            this.lease = lease;
            this.operation = operation;
            this.begun = begun;
        }

        @Override
        public Scope enter() {
            try {
                Scope scope = begun.enter();
                return () -> guarded(scope::close);
            } catch (Throwable e) {
                fail(e);
                return () -> {};
            }
        }

        @Override
        public void end(LeaseOutcome outcome, @Nullable Throwable failure) {
            guarded(() -> begun.end(outcome, failure));
            if (!failed) {
                failing.set(false);
            }
        }

        private void guarded(Runnable call) {
            try {
                call.run();
            } catch (Throwable e) {
                fail(e);
            }
        }

        private void fail(Throwable cause) {
            failed = true;
            failed(lease, operation, cause);
        }
    }
}
