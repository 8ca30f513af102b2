package io.leasehold;

import io.leasehold.LeaseClock.Moment;
import io.leasehold.LeaseObserver.Observed;
import io.leasehold.LeaseObserver.Scope;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the state for a claim that was won, and only then leads: this seals the epoch, so that none is ever led twice. Until
 * the claim's deadline it tries again, at longer and longer intervals. Used by one thread at a time.
 */
final class StateOpening {

    /** A claim that was won, with the time taken before it. */
    record Claim(LeaseRecord record, LeaseSnapshot predecessor, Moment begun, OptionalLong predecessorSeenAtNs) {}

    /** What a won claim leads to, once its state is open. */
    interface Leading {
        void lead(Claim claim, @Nullable StateSession session);
    }

    private static final Logger LOG = LoggerFactory.getLogger(StateOpening.class);

    private final LeaseContext context;
    private final Leading leading;
    private final String name;
    private final long validNs;
    private @Nullable Claim pending;
    private Observed observation = Observers.UNOBSERVED;
    private long againAtNs;
    private long backOffNs;
    private volatile @Nullable RuntimeException failure;

    StateOpening(LeaseContext context, Leading leading) {
        this.context = context;
        this.leading = leading;
        this.name = context.settings().name();
        this.validNs =
                context.settings().ttl().minus(context.settings().margin()).toNanos();
        this.backOffNs = context.retryNs();
    }

    void begin(Claim claim, Observed observed) {
        pending = claim;
        observation = observed;
        againAtNs = claim.begun().monotonicNs();
    }

    void abandon() {
        if (pending != null) {
            giveUp(LeaseOutcome.ABANDONED, null);
        }
    }

    /** Whether a claim waits for its state. */
    boolean isPending() {
        return pending != null;
    }

    /** Why the state could not be opened; null where it could, or another leads. */
    @Nullable
    String failure() {
        RuntimeException cause = failure;
        return cause == null ? null : describe(cause);
    }

    void forgetFailure() {
        failure = null;
    }

    /** Tries to open the state of the claim that waits for it; returns nanoseconds until the next step. */
    long step() {
        Claim claim = Objects.requireNonNull(pending);
        if (isOver(claim)) {
            return giveUpForTime(claim);
        }
        long waitNs = againAtNs - context.clock().nanoTime();
        if (waitNs > 0) {
            return waitNs;
        }
        StateSession session;
        try {
            session = open(claim);
        } catch (StateFenceException e) {
            LOG.info("Lease {}: epoch {} given up: {}", name, claim.record().epoch(), e.getMessage());
            context.memory().sawEpoch(e.foundEpoch());
            return giveUp(LeaseOutcome.FENCED, e);
        } catch (RuntimeException e) {
            return failed(claim, e);
        }
        failure = null;
        if (isOver(claim)) {
            return giveUpForTime(claim);
        }
        pending = null;
        backOffNs = context.retryNs();
        observation.end(LeaseOutcome.ACQUIRED, null);
        leading.lead(claim, session);
        return 0;
    }

    static String describe(RuntimeException failure) {
        return failure instanceof StateStoreException ? String.valueOf(failure.getMessage()) : failure.toString();
    }

    private @Nullable StateSession open(Claim claim) {
        StateStore states = context.stateStore();
        if (states == null) {
            return null;
        }
        Scope scope = observation.enter();
        try {
            return states.open(
                    claim.record().epoch(),
                    context.holder(),
                    Objects.requireNonNull(claim.predecessor().leaseId()));
        } finally {
            scope.close();
        }
    }

    private long failed(Claim claim, RuntimeException cause) {
        if (failure == null) {
            LOG.warn(
                    "Lease {}: epoch {} cannot lead, its state cannot be opened",
                    name,
                    claim.record().epoch(),
                    cause);
        }
        failure = cause;
        long leftNs = Math.max(0, validNs - context.clock().elapsedNsSince(claim.begun()));
        long waitNs = Math.min(backOffNs, leftNs);
        againAtNs = context.clock().nanoTime() + waitNs;
        backOffNs = Math.min(2 * backOffNs, context.settings().ttl().toNanos());
        return waitNs;
    }

    private long giveUpForTime(Claim claim) {
        LOG.warn(
                "Lease {}: epoch {} given up: its deadline passed before it could lead",
                name,
                claim.record().epoch());
        if (failure != null) {
            context.counters().surrendered(SurrenderReason.STATE_UNAVAILABLE);
        }
        return giveUp(LeaseOutcome.EXPIRED, failure);
    }

    /** Given up without a release: the next claim has to wait a ttl. */
    private long giveUp(LeaseOutcome outcome, @Nullable Throwable cause) {
        pending = null;
        observation.end(outcome, cause);
        return context.retryNs();
    }

    private boolean isOver(Claim claim) {
        return context.clock().elapsedNsSince(claim.begun()) >= validNs;
    }
}
