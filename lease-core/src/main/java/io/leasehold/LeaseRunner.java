package io.leasehold;

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
    private final StoreWatch watch;
    private final CountDownLatch finished = new CountDownLatch(1);
    private boolean stepping;
    private boolean again;
    private @Nullable Future<?> nextStep;
    private @Nullable Future<?> nextGuard;

    /** A runner that takes its first step when it is woken. */
    LeaseRunner(LeaseContext context, LeaseThreads threads) {
        this.election = new LeaseElection(context, this::wake);
        this.threads = threads;
        this.watch = new StoreWatch(context, threads, this::wake);
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
            watch.keep();
            nextInNs = election.step();
        } catch (RuntimeException | Error e) {
            LOG.error("A step failed; the next one is taken all the same", e);
        } finally {
            afterStep(nextInNs);
        }
    }

    private void afterStep(long nextInNs) {
        if (election.phase() == LeasePhase.CLOSED) {
            stopGuard();
            watch.close(finished::countDown);
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

    private synchronized void stopGuard() {
        if (nextGuard != null) {
            nextGuard.cancel(false);
        }
    }

    private synchronized void guard() {
        stopGuard();
        if (election.phase() == LeasePhase.CLOSED) {
            return;
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
