package io.leasehold;

import io.leasehold.LeaseClock.Moment;
import io.leasehold.LeaseObserver.Observed;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the lease and claims it when it may. A standby never guesses: what it cannot read it waits for, and it compares
 * no clock with the holder's, except at its very first look. Used by one thread at a time.
 */
final class Standby {
    private static final Logger LOG = LoggerFactory.getLogger(Standby.class);

    private final LeaseContext context;
    private final StateOpening opening;
    private final String name;
    private @Nullable LeaseSnapshot seen;
    private long seenAtNs;
    /** The highest epoch known of before the lease was seen as it is. */
    private long highestKnown;

    private boolean sawChange;
    private boolean knowsState;
    private @Nullable Moment restingSince;
    private volatile @Nullable String headFailure;

    Standby(LeaseContext context, StateOpening.Leading leading) {
        this.context = context;
        this.opening = new StateOpening(context, leading);
        this.name = context.settings().name();
    }

    /** Looks once, and goes on with a claim; returns nanoseconds until the next look. */
    long step() throws LeaseStoreException {
        if (opening.isPending()) {
            return opening.step();
        }
        boolean firstLook = seen == null && context.memory().highestEpoch() == 0;
        if (seen == null) {
            StateHead head = headIfReadable();
            highestKnown = head == null ? 0 : head.epoch();
        }
        Moment asked = context.clock().now();
        LeaseSnapshot found = context.store().read();
        if (!isRecognized(found)) {
            context.store().initialize();
            return 0;
        }
        observe(found);
        rememberState(found);
        boolean atOnce = isFree(found) || (firstLook && expiredLongAgo(found, asked));
        long dueInNs = dueInNs(found, asked, false);
        if (isResting() || (dueInNs > 0 && !atOnce)) {
            return nextLookNs(dueInNs);
        }
        long floor = head().epoch();
        if (floor > highestKnown) {
            // A term came since, and may have been lost again: however the lease looks, it has changed.
            context.memory().sawEpoch(floor);
            seen = null;
            return 0;
        }
        boolean doubtful = found.epoch() < Math.max(floor, context.memory().highestEpoch());
        long doubtDueInNs = doubtful ? dueInNs(found, asked, true) : 0;
        if (doubtDueInNs > 0) {
            return nextLookNs(doubtDueInNs);
        }
        return claim(found, floor);
    }

    /** Starts to observe from scratch after a term; a process that stepped down lets others go first for a ttl. */
    void reset(boolean rest) {
        seen = null;
        sawChange = false;
        restingSince = rest ? context.clock().now() : null;
    }

    /** Leaves a claim that waits for its state, because this process contends no more. */
    void abandonClaim() {
        opening.abandon();
    }

    @Nullable
    LeaseSnapshot seen() {
        return seen;
    }

    /** Why the state cannot be read or opened at present. */
    @Nullable
    String stateFailure() {
        String failure = opening.failure();
        return failure != null ? failure : headFailure;
    }

    /** A change is dated after the read that showed it. */
    private void observe(LeaseSnapshot found) {
        if (seen == null || !found.unchangedFrom(seen)) {
            seenAtNs = context.clock().nanoTime();
            sawChange = seen != null;
        }
        seen = found;
        highestKnown = Math.max(highestKnown, found.epoch());
        context.memory().saw(found);
        if (othersLead(found)) {
            opening.forgetFailure();
            restingSince = null;
        }
    }

    /** Whoever leads has opened the state: from now on this process knows an emptied or unmounted one, and refuses it. */
    private void rememberState(LeaseSnapshot found) {
        if (!knowsState && context.stateStore() != null && othersLead(found)) {
            StateHead unused = headIfReadable();
        }
    }

    private boolean othersLead(LeaseSnapshot found) {
        LeaseRecord record = found.record();
        return record != null && record.sequence() > 0 && !record.holder().equals(context.holder());
    }

    /** Nanoseconds until the lease has been seen unchanged for long enough, judged by the time before the read. */
    private long dueInNs(LeaseSnapshot found, Moment asked, boolean doubtful) {
        Duration wait =
                found.record() != null ? found.record().ttl() : context.memory().longestTtl();
        if (doubtful && wait.compareTo(context.memory().longestTtl()) < 0) {
            wait = context.memory().longestTtl();
        }
        return wait.toNanos() - (asked.monotonicNs() - seenAtNs);
    }

    private long nextLookNs(long dueInNs) {
        return dueInNs > 0 ? Math.min(dueInNs, context.renewIntervalNs()) : context.renewIntervalNs();
    }

    private static boolean isFree(LeaseSnapshot found) {
        return found.epoch() == 0 || (found.record() != null && found.record().released());
    }

    /** A bare claim never counts: its claimant may not have looked for its predecessor yet. */
    private boolean expiredLongAgo(LeaseSnapshot found, Moment asked) {
        LeaseRecord record = found.record();
        Instant longAgo =
                Instant.ofEpochMilli(asked.wallMs()).minus(context.settings().maxClockSkew());
        return record != null && record.sequence() > 0 && record.expiresAt().isBefore(longAgo);
    }

    private boolean isResting() {
        if (restingSince != null
                && context.clock().nanoTime() - restingSince.monotonicNs()
                        >= context.settings().ttl().toNanos()) {
            restingSince = null;
        }
        return restingSince != null;
    }

    /**
     * Whether this is the lease that this process, or its state store, remembers. False for an entirely new one, which
     * nobody remembers; anything else is refused.
     */
    private boolean isRecognized(LeaseSnapshot found) throws LeaseStoreException {
        LeaseMemory memory = context.memory();
        String location = context.store().location();
        if (memory.leaseId() == null) {
            String remembered = head().leaseId();
            if (remembered != null) {
                memory.recognize(remembered, location);
            } else if (found.leaseId() == null) {
                return false;
            }
        }
        memory.recognize(found.leaseId(), location);
        return true;
    }

    /** What the state remembers, to watch the lease by; a claim has to know it, and asks again. */
    private @Nullable StateHead headIfReadable() {
        try {
            return head();
        } catch (RuntimeException e) {
            LOG.debug("Lease {}: the state cannot be read yet; it is read again before a claim", name, e);
            return null;
        }
    }

    private StateHead head() {
        StateStore states = context.stateStore();
        if (states == null) {
            return new StateHead(0, null);
        }
        try {
            StateHead head = states.head();
            knowsState |= head.leaseId() != null;
            headFailure = null;
            return head;
        } catch (RuntimeException e) {
            headFailure = StateOpening.describe(e);
            throw e;
        }
    }

    private long claim(LeaseSnapshot found, long floor) throws LeaseStoreException {
        long highest = Math.max(Math.max(found.epoch(), floor), context.memory().highestEpoch());
        if (highest == Long.MAX_VALUE) {
            throw new LeaseStoreException("The lease at " + context.store().location() + " has used the last epoch, "
                    + highest + "; no further term is possible. Begin a new lease in an empty directory.");
        }
        if (found.epoch() < highest) {
            LOG.warn(
                    "Lease {}: {} shows epoch {}, but epoch {} was seen before or is remembered by the state store;"
                            + " the next epoch is {}",
                    name,
                    context.store().location(),
                    found.epoch(),
                    highest,
                    highest + 1);
        }
        Duration ttl = claimTtl(found);
        Moment begun = context.clock().now();
        LeaseRecord record = new LeaseRecord(
                context.holder(),
                HolderIds.newClaim(),
                highest + 1,
                0,
                ttl,
                Instant.ofEpochMilli(begun.wallMs()).plus(ttl),
                false);
        context.memory().sawEpoch(record.epoch());
        Observed observation =
                context.observers().begin(LeaseOperation.ACQUIRE, name, context.holder(), record.epoch());
        if (!write(found, record, observation)) {
            return context.retryNs();
        }
        opening.begin(new StateOpening.Claim(record, found, begun, predecessorSeenAtNs(found)), observation);
        return opening.step();
    }

    private boolean write(LeaseSnapshot found, LeaseRecord record, Observed observation) throws LeaseStoreException {
        LeaseObserver.Scope scope = observation.enter();
        WriteOutcome outcome;
        try {
            outcome = context.store().replace(found, record);
        } catch (LeaseStoreException | RuntimeException | Error e) {
            observation.end(LeaseOutcome.FAILED, e);
            throw e;
        } finally {
            scope.close();
        }
        if (outcome != WriteOutcome.CONFIRMED) {
            LOG.debug("Lease {}: claim of epoch {} given up, {}", name, record.epoch(), outcome);
            observation.end(LeaseOutcome.LOST, null);
        }
        return outcome == WriteOutcome.CONFIRMED;
    }

    /** When the last change of another's lease was seen; empty where only its remains were. */
    private OptionalLong predecessorSeenAtNs(LeaseSnapshot found) {
        LeaseRecord record = found.record();
        return sawChange && record != null && !record.holder().equals(context.holder())
                ? OptionalLong.of(seenAtNs)
                : OptionalLong.empty();
    }

    /** The larger of the own ttl and the predecessor's: it may still be inside its term by its own clock. */
    private Duration claimTtl(LeaseSnapshot found) {
        LeaseRecord before = found.record();
        if (before == null) {
            return context.memory().longestTtl();
        }
        Duration own = context.settings().ttl();
        return before.ttl().compareTo(own) > 0 ? before.ttl() : own;
    }
}
