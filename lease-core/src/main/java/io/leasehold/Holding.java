package io.leasehold;

import io.leasehold.LeaseClock.Moment;
import io.leasehold.LeaseCounts.RenewOutcome;
import io.leasehold.LeaseObserver.Observed;
import io.leasehold.LeaseObserver.Scope;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds one term: renews it, drains it, releases it. A holder is biased to stay, up to the drain point: see the package's
 * documentation. Used by one thread at a time; only {@link #lease()} is shared.
 */
final class Holding {

    /** A write whose outcome was not confirmed, with the time taken before it. */
    private record Attempt(LeaseRecord record, Moment begun) {}

    /** Where the holder goes when its term is over and its work has stopped, or had its time to. */
    interface Ending {
        void standBy(boolean rest, LeaseOutcome outcome, @Nullable Throwable failure);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Holding.class);

    private final LeaseContext context;
    private final Lease lease;
    private final Ending ending;
    private LeaseSnapshot own;
    private LeaseRecord record;
    private @Nullable Attempt unsettled;
    private long nextRenewAtNs;
    private boolean verifying;
    private boolean warned;
    private LeaseOutcome attempted = LeaseOutcome.FAILED;
    private @Nullable Throwable attemptFailure;

    Holding(LeaseContext context, Lease lease, StateOpening.Claim claim, Ending ending) {
        this.context = context;
        this.lease = lease;
        this.ending = ending;
        this.record = claim.record();
        this.own = claim.predecessor();
        this.nextRenewAtNs = claim.begun().monotonicNs() + context.renewIntervalNs();
    }

    Lease lease() {
        return lease;
    }

    /** Does what is due; returns nanoseconds until the next step. */
    long step() {
        long enforceInNs = lease.enforce();
        if (!lease.isHeld()) {
            return ended();
        }
        if (lease.isDraining()) {
            if (context.listeners().haveStopped()) {
                return release();
            }
            if (lease.drainTimeoutPassed()) {
                return enforceInNs;
            }
        }
        long dueInNs = nextRenewAtNs - context.clock().nanoTime();
        return dueInNs > 0 ? Math.min(dueInNs, enforceInNs) : renew();
    }

    private long renew() {
        Observed observation = context.observers().begin(LeaseOperation.RENEW, lease);
        Scope scope = observation.enter();
        note(LeaseOutcome.FAILED, null);
        try {
            return attempt();
        } finally {
            scope.close();
            observation.end(attempted, attemptFailure);
        }
    }

    /** What the attempt to renew has come to so far. */
    private void note(LeaseOutcome outcome, @Nullable Throwable failure) {
        attempted = outcome;
        attemptFailure = failure;
    }

    private long attempt() {
        LeaseSnapshot found;
        try {
            found = context.read();
        } catch (LeaseStoreException | RuntimeException e) {
            return readFailed(e);
        }
        LeaseRecord there = found.epoch() == lease.epoch() ? found.record() : null;
        if (found.epoch() > lease.epoch() || (there != null && !there.sameClaim(record))) {
            return superseded(found);
        }
        if (there != null) {
            verifying = false;
            own = found;
            settle(there);
        } else if (!verifying) {
            return verifyLater(null);
        } else {
            warn("its file is gone or cannot be understood, and is written again", null);
        }
        if (nextRenewAtNs - context.clock().nanoTime() > 0) {
            return 0;
        }
        return write(null);
    }

    /** Inside the cap a failed read is tried once more, then the lease is renewed all the same. */
    private long readFailed(Exception failure) {
        context.memory().lookFailed(failure);
        note(LeaseOutcome.FAILED, failure);
        lease.enforce();
        if (!lease.isHeld()) {
            return expired(failure);
        }
        if (lease.isDraining()) {
            verifying = false;
            nextRenewAtNs = context.clock().nanoTime() + context.retryNs();
            return context.retryNs();
        }
        return verifying ? write(failure) : verifyLater(failure);
    }

    private long verifyLater(@Nullable Exception failure) {
        LOG.debug(
                "Lease {}: epoch {} could not be read, or was not there; reading again",
                lease.name(),
                lease.epoch(),
                failure);
        verifying = true;
        nextRenewAtNs = context.clock().nanoTime() + context.retryNs();
        return context.retryNs();
    }

    private long write(@Nullable Exception readFailure) {
        verifying = false;
        lease.enforce();
        if (!lease.isHeld()) {
            return expired(readFailure);
        }
        Moment begun = context.clock().now();
        record = record.renewed(
                record.sequence() + 1,
                context.settings().ttl(),
                Instant.ofEpochMilli(begun.wallMs()).plus(context.settings().ttl()));
        unsettled = new Attempt(record, begun);
        nextRenewAtNs = begun.monotonicNs() + context.renewIntervalNs();
        try {
            return written(context.store().replace(own, record), begun, readFailure);
        } catch (LeaseStoreException | RuntimeException e) {
            context.memory().lookFailed(e);
            context.counters().renewed(RenewOutcome.FAILED);
            note(LeaseOutcome.FAILED, e);
            warn("the outcome of a renew is not known", e);
            nextRenewAtNs = context.clock().nanoTime() + context.retryNs();
            return 0;
        }
    }

    private long written(WriteOutcome outcome, Moment begun, @Nullable Exception readFailure) {
        switch (outcome) {
            case CONFIRMED -> {
                unsettled = null;
                note(LeaseOutcome.EXPIRED, null);
                if (lease.confirm(begun)) {
                    note(LeaseOutcome.CONFIRMED, null);
                    context.counters().renewed(RenewOutcome.CONFIRMED);
                    confirmedAgain(readFailure);
                }
            }
            case UNVERIFIED -> {
                context.counters().renewed(RenewOutcome.UNVERIFIED);
                note(LeaseOutcome.UNVERIFIED, readFailure);
                warn("a renew was written and could not be confirmed", readFailure);
            }
            case SUPERSEDED -> {
                return superseded(null);
            }
        }
        return 0;
    }

    /** A write that was not confirmed, and is there when read, with nothing higher: confirmed as of the time before it. */
    private void settle(LeaseRecord there) {
        Attempt attempt = unsettled;
        if (attempt != null && there.sequence() == attempt.record.sequence() && lease.confirm(attempt.begun)) {
            unsettled = null;
            context.counters().settled();
            note(LeaseOutcome.CONFIRMED, null);
            nextRenewAtNs = attempt.begun.monotonicNs() + context.renewIntervalNs();
            confirmedAgain(null);
        }
    }

    private void confirmedAgain(@Nullable Exception readFailure) {
        if (readFailure != null) {
            warn("could not be read twice; renewed all the same, and confirmed after the write", readFailure);
        } else {
            if (warned) {
                LOG.info("Lease {}: epoch {} is confirmed again", lease.name(), lease.epoch());
            }
            warned = false;
            context.memory().lookSucceeded();
        }
    }

    private long superseded(@Nullable LeaseSnapshot found) {
        LOG.debug("Lease {}: epoch {} superseded, found {}", lease.name(), lease.epoch(), found);
        note(LeaseOutcome.SUPERSEDED, null);
        lease.end(SurrenderReason.SUPERSEDED);
        return ended();
    }

    private long expired(@Nullable Exception failure) {
        note(LeaseOutcome.EXPIRED, failure);
        return ended();
    }

    /** The term is over: nothing is written any more. The work may go on stopping until the deadline. */
    private long ended() {
        long leftNs = lease.untilDeadlineNs();
        boolean stopped = context.listeners().haveStopped();
        if (leftNs <= 0 || stopped) {
            ending.standBy(false, stopped ? LeaseOutcome.STOPPED : LeaseOutcome.EXPIRED, null);
            return 0;
        }
        return leftNs;
    }

    /** The work has stopped: nobody here holds the lease from now on, and a standby may claim it at once. */
    private long release() {
        SurrenderReason reason = lease.reason();
        LeaseOutcome outcome = LeaseOutcome.STOPPED;
        Exception failure = null;
        if (lease.end(SurrenderReason.STEPPED_DOWN) && lease.untilDeadlineNs() > 0) {
            record = record.released(record.sequence() + 1);
            try {
                WriteOutcome written = context.store().replace(own, record);
                LOG.debug("Lease {}: epoch {} released, {}", lease.name(), lease.epoch(), written);
                outcome = written == WriteOutcome.SUPERSEDED ? LeaseOutcome.STOPPED : LeaseOutcome.RELEASED;
            } catch (LeaseStoreException | RuntimeException e) {
                failure = e;
                context.memory().lookFailed(e);
                LOG.warn(
                        "Lease {}: epoch {} may not have been released; others wait for its ttl",
                        lease.name(),
                        lease.epoch(),
                        e);
            }
        }
        boolean rest = reason == SurrenderReason.STEPPED_DOWN || reason == SurrenderReason.LISTENER_FAILED;
        ending.standBy(rest, outcome, failure);
        return 0;
    }

    /** One warning for a streak of failures; the rest at debug. */
    private void warn(String what, @Nullable Exception failure) {
        if (warned) {
            LOG.debug("Lease {}: epoch {}: {}", lease.name(), lease.epoch(), what, failure);
            return;
        }
        warned = true;
        LOG.warn(
                "Lease {}: epoch {}: {}; the lease is kept for {} more at most if nothing is confirmed",
                lease.name(),
                lease.epoch(),
                what,
                lease.remaining(),
                failure);
    }
}
