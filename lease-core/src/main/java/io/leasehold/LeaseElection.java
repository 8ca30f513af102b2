package io.leasehold;

import io.leasehold.LeaseClock.Moment;
import io.leasehold.LeaseObserver.Observed;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateSession;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The election of one contender, from a start to a close: the state machine whose states are {@link LeasePhase}. It has no
 * thread, no sleep and no timer of its own: a runner, or a test, calls {@link #step()} from one thread at a time when it is
 * due, and {@link #enforce()} from any thread.
 */
final class LeaseElection {
    /** The delay of a step that never has to come. */
    static final long NEVER = Long.MAX_VALUE;

    private static final Logger LOG = LoggerFactory.getLogger(LeaseElection.class);

    private final LeaseContext context;
    private final String name;
    private final Runnable wake;
    private final Standby standby;
    private volatile @Nullable Holding holding;
    private volatile @Nullable LeaseSnapshot lastSeen;
    private volatile boolean closing;
    private volatile boolean closed;
    private boolean warned;

    /**
     * An election that has not looked at the lease yet.
     *
     * @param wake asks for a step as soon as possible; returns at once
     */
    LeaseElection(LeaseContext context, Runnable wake) {
        this.context = context;
        this.name = context.settings().name();
        this.wake = wake;
        this.standby = new Standby(context, this::lead);
    }

    /** Does what is due; returns nanoseconds until the next step, or {@link #NEVER}. */
    long step() {
        return switch (phase()) {
            case STANDBY -> closing ? finish() : standBy();
            case HOLDING, DRAINING -> held().step();
            case CLOSED -> NEVER;
        };
    }

    /** Applies the drain point and the deadline; returns nanoseconds until it has to be applied again, or NEVER. */
    long enforce() {
        Holding now = holding;
        return now == null ? NEVER : now.lease().enforce();
    }

    LeasePhase phase() {
        Holding now = holding;
        if (now != null) {
            return now.lease().isSurrendering() ? LeasePhase.DRAINING : LeasePhase.HOLDING;
        }
        return closed ? LeasePhase.CLOSED : LeasePhase.STANDBY;
    }

    /** The current term; null on a standby. */
    @Nullable
    Lease lease() {
        Holding now = holding;
        return now == null ? null : now.lease();
    }

    void stepDown() {
        Lease lease = lease();
        if (lease != null) {
            lease.drain(SurrenderReason.STEPPED_DOWN);
        }
    }

    /** Begins to close: surrenders where it holds, and contends no more. */
    void close() {
        closing = true;
        Lease lease = lease();
        if (lease != null) {
            lease.drain(SurrenderReason.CLOSED);
        }
        wake.run();
    }

    /** Whether it was asked to close, or has closed. */
    boolean isClosing() {
        return closing;
    }

    private Holding held() {
        Holding now = holding;
        if (now == null) {
            throw new IllegalStateException("No term to hold");
        }
        return now;
    }

    private long finish() {
        standby.abandonClaim();
        closed = true;
        return NEVER;
    }

    /** While the work of an earlier term has not returned, this process does not contend. */
    private long standBy() {
        if (!context.listeners().areIdle()) {
            return context.renewIntervalNs();
        }
        try {
            long nextInNs = standby.step();
            if (warned) {
                LOG.info("Lease {}: can be read and claimed again", name);
            }
            warned = false;
            context.memory().lookSucceeded();
            return nextInNs;
        } catch (LeaseStoreException | RuntimeException e) {
            context.memory().lookFailed(e);
            if (!warned) {
                LOG.warn("Lease {}: a standby cannot tell whether it may lead; it waits and looks again", name, e);
            }
            warned = true;
            return context.retryNs();
        } finally {
            lastSeen = standby.seen();
        }
    }

    private void lead(StateOpening.Claim claim, @Nullable StateSession session) {
        CompletableFuture<Observed> drain = new CompletableFuture<>();
        Lease lease = new Lease(
                context.settings(),
                context.holder(),
                claim.record().epoch(),
                claim.begun(),
                context.clock(),
                (ending, reason) -> surrendered(ending, reason, drain),
                session == null ? null : of -> state(of, session));
        holding = new Holding(context, lease, claim, (rest, outcome, failure) -> {
            backToStandby(rest);
            CompletableFuture<Void> unused = drain.thenAccept(observed -> observed.end(outcome, failure));
        });
        context.counters().acquired();
        if (closing) {
            lease.drain(SurrenderReason.CLOSED);
            return;
        }
        LOG.info("Lease {}: {} leads with epoch {}", name, context.holder(), lease.epoch());
        Observed observation = context.observers().begin(LeaseOperation.START, lease);
        context.listeners().acquired(new TermStart(lease, observation, () -> started(claim)), context.workers());
    }

    private void started(StateOpening.Claim claim) {
        claim.predecessorSeenAtNs()
                .ifPresent(seenAtNs ->
                        context.counters().handedOver(context.clock().nanoTime() - seenAtNs));
    }

    private LeaderState state(Lease lease, StateSession session) {
        return new TermState(
                lease,
                session,
                context.counters(),
                context.observers(),
                context.workers(),
                fence -> fenced(lease, fence));
    }

    private void fenced(Lease lease, StateFenceException fence) {
        context.memory().sawEpoch(fence.foundEpoch());
        lease.end(SurrenderReason.FENCED);
        wake.run();
    }

    /** Called once for each term, by whoever ended it: a step, a timer, a commit, or anyone who found the deadline passed. */
    private void surrendered(Lease lease, SurrenderReason reason, CompletableFuture<Observed> drain) {
        context.listeners().surrendered(lease, reason, context.workers(), wake);
        context.counters().surrendered(reason);
        context.workers().execute(() -> {
            LOG.info("Lease {}: epoch {} surrenders, {}", name, lease.epoch(), reason);
            drain.complete(context.observers().begin(LeaseOperation.DRAIN, lease));
        });
        wake.run();
    }

    private void backToStandby(boolean rest) {
        LOG.info(
                "Lease {}: back to standby after epoch {}", name, held().lease().epoch());
        standby.reset(rest);
        holding = null;
    }

    LeaseStatus status() {
        Holding now = holding;
        Lease lease = now == null ? null : now.lease();
        Lease held = lease != null && lease.isHeld() ? lease : null;
        LeaseSnapshot seen = lastSeen;
        LeaseRecord record = seen == null ? null : seen.record();
        Moment confirmed = held != null ? held.lastConfirmed() : null;
        return new LeaseStatus(
                phase(),
                context.holder(),
                lease != null ? lease.epoch() : context.memory().highestEpoch(),
                held != null ? context.holder() : record == null ? null : record.holder(),
                lease != null ? lease.remaining() : Duration.ZERO,
                confirmed == null ? null : Instant.ofEpochMilli(confirmed.wallMs()),
                confirmed == null
                        ? Duration.ZERO
                        : Duration.ofNanos(Math.max(0, context.clock().elapsedNsSince(confirmed))),
                context.counters().unverifiedRenews(),
                context.counters().unverifiedStreak(),
                context.memory().isReachable(),
                context.memory().lastFailure(),
                standby.stateFailure());
    }
}
