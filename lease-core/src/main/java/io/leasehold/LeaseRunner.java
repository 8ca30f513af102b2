package io.leasehold;

import io.leasehold.store.LeaseStore;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one election: a worker takes one step at a time, when it is due or when it is woken, and the timer applies the
 * deadline whatever that worker is doing. Safe for use by several threads.
 */
final class LeaseRunner {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRunner.class);

    private final LeaseElection election;
    private final LeaseThreads threads;
    private final long retryNs;
    private final long renewIntervalNs;
    private final long ttlNs;
    private final LeaseClock clock;
    private final LeaseStore store;
    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean stepping;
    private boolean again;
    private @Nullable Future<?> nextStep;
    private @Nullable Future<?> nextGuard;
    private @Nullable Closeable watch;
    private boolean warned;
    private long watchAgainAtNs;

    /** A runner that takes its first step when it is woken. */
    LeaseRunner(LeaseContext context, LeaseThreads threads) {
        this.election = new LeaseElection(context, this::wake);
        this.threads = threads;
        this.store = context.store();
        this.ttlNs = context.settings().ttl().toNanos();
        this.clock = context.clock();
        this.retryNs = context.retryNs();
        this.renewIntervalNs = context.renewIntervalNs();
    }

    LeaseElection election() {
        return election;
    }

    /** Asks for a step as soon as possible. */
    synchronized void wake() {
        if (stepping) {
            again = true;
        } else if (!isFinished()) {
            beginStep();
        }
    }

    /** Waits until the election has closed, as long as it may still hold the lease and one renew interval more. */
    boolean awaitFinish() {
        for (; ; ) {
            Lease lease = election.lease();
            long leftNs = lease == null ? 0 : Math.max(0, lease.untilDeadlineNs());
            try {
                if (finished.await(leftNs + renewIntervalNs, TimeUnit.NANOSECONDS)) {
                    return true;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            if (leftNs == 0) {
                return false;
            }
        }
    }

    private boolean isFinished() {
        return finished.getCount() == 0;
    }

    private void beginStep() {
        if (nextStep != null) {
            nextStep.cancel(false);
        }
        stepping = true;
        threads.execute(this::step);
    }

    private void step() {
        long nextInNs = retryNs;
        try {
            watch();
            nextInNs = election.step();
        } catch (RuntimeException | Error e) {
            LOG.error("A step failed; the next one is taken all the same", e);
        } finally {
            afterStep(nextInNs);
        }
    }

    /**
     * On a worker: a store may hang here as anywhere else. Without notices the lease is looked at every renew interval; a
     * watch that fails is tried again after a ttl, because an attempt may take as long as a renew interval.
     */
    private void watch() {
        long nowNs = clock.nanoTime();
        if (watch != null || (warned && watchAgainAtNs - nowNs > 0)) {
            return;
        }
        watchAgainAtNs = nowNs + ttlNs;
        try {
            watch = store.watch(this::wake);
        } catch (RuntimeException | Error e) {
            if (!warned) {
                LOG.warn(
                        "{} cannot be watched yet; until then it is looked at every renew interval",
                        store.location(),
                        e);
            }
            warned = true;
        }
    }

    private void afterStep(long nextInNs) {
        if (election.phase() == LeasePhase.CLOSED) {
            finish();
            return;
        }
        guard();
        synchronized (this) {
            stepping = false;
            if (again) {
                again = false;
                beginStep();
            } else {
                nextStep = threads.timer().schedule(this::wake, nextInNs, TimeUnit.NANOSECONDS);
            }
        }
    }

    private void finish() {
        try {
            if (watch != null) {
                watch.close();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("The watch of {} could not be closed", store.location(), e);
        }
        synchronized (this) {
            if (nextGuard != null) {
                nextGuard.cancel(false);
            }
            finished.countDown();
        }
    }

    private synchronized void guard() {
        if (isFinished()) {
            return;
        }
        if (nextGuard != null) {
            nextGuard.cancel(false);
        }
        // The wall clock can pass the deadline while the timer's clock stands still, so the guard looks every so often.
        long inNs = renewIntervalNs;
        try {
            inNs = Math.min(inNs, election.enforce());
        } catch (RuntimeException | Error e) {
            LOG.error("The deadline could not be applied; it is tried again", e);
        } finally {
            nextGuard = threads.timer().schedule(this::guard, inNs, TimeUnit.NANOSECONDS);
        }
    }
}
