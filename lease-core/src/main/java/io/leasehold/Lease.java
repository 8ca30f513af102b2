package io.leasehold;

import io.leasehold.LeaseClock.Moment;
import io.leasehold.state.LeaderState;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One term of one holder. Safe for use by several threads.
 *
 * <p>A term moves only forward: held, draining, ended. Its deadline and whether it has ended are one atomic state, and
 * whoever first finds the deadline passed ends the term for everyone: {@link #isHeld()} never turns from false to true.
 *
 * <p>Not guaranteed: that a side effect begun while {@code isHeld()} was true ends before the term does. Where the other
 * side can check a number, give it the {@link #epoch()}.
 */
public final class Lease {
    private enum Stage {
        HELD,
        DRAINING,
        ENDED
    }

    /** The whole mutable state of a term; surrendered and reason are set when it stops being held. */
    private record Standing(
            Stage stage,
            Moment confirmed,
            @Nullable Moment surrendered,
            @Nullable SurrenderReason reason) {}

    private final LeaseSettings settings;
    private final String holder;
    private final long epoch;
    private final LeaseClock clock;
    private final long validNs;
    private final long untilDrainPointNs;
    private final BiConsumer<Lease, SurrenderReason> onSurrender;
    private final AtomicReference<Standing> standing;
    private final @Nullable LeaderState state;

    Lease(
            LeaseSettings settings,
            String holder,
            long epoch,
            Moment claimed,
            LeaseClock clock,
            BiConsumer<Lease, SurrenderReason> onSurrender,
            @Nullable StateOpener state) {
        this.settings = settings;
        this.holder = holder;
        this.epoch = epoch;
        this.clock = clock;
        this.validNs = settings.ttl().minus(settings.margin()).toNanos();
        this.untilDrainPointNs = validNs - settings.drainTimeout().toNanos();
        this.onSurrender = onSurrender;
        this.standing = new AtomicReference<>(new Standing(Stage.HELD, claimed, null, null));
        this.state = state == null ? null : state.open(this);
    }

    /** Makes the state of a term; apart from the constructor because each refers to the other. */
    interface StateOpener {
        LeaderState open(Lease lease);
    }

    /**
     * The lease's name.
     *
     * @return the name from the settings
     */
    public String name() {
        return settings.name();
    }

    /**
     * The id of the holder.
     *
     * @return unique for each start of each lease object
     */
    public String holder() {
        return holder;
    }

    /**
     * The number of this term; the fencing token.
     *
     * @return higher than that of every earlier term of this lease
     */
    public long epoch() {
        return epoch;
    }

    /**
     * Whether this process holds the lease now. It costs one volatile read and two clock reads; no I/O, no lock.
     *
     * @return true until the deadline, also while draining; false for good once it was false
     */
    public boolean isHeld() {
        for (; ; ) {
            Standing now = now();
            if (now.stage == Stage.ENDED) {
                return false;
            }
            if (elapsedNs(now) < validNs) {
                return true;
            }
            if (leave(now, Stage.ENDED, SurrenderReason.EXPIRED)) {
                return false;
            }
        }
    }

    /**
     * Whether a surrender has begun: the work has to stop. {@link #isHeld()} may still be true until it has.
     *
     * @return true for good once it was true
     */
    public boolean isSurrendering() {
        return !isHeld() || now().stage != Stage.HELD;
    }

    /**
     * How long the term lasts if nothing more is confirmed.
     *
     * @return zero once the term has ended
     */
    public Duration remaining() {
        Standing now = now();
        return now.stage == Stage.ENDED ? Duration.ZERO : Duration.ofNanos(Math.max(0, validNs - elapsedNs(now)));
    }

    /**
     * The state of this term. Commits through it are refused once this term has ended, even when the same process leads
     * again.
     *
     * @return the state
     * @throws IllegalStateException when the lease was made without a state store
     */
    public LeaderState state() {
        if (state == null) {
            throw new IllegalStateException("Lease " + name() + " has no state store");
        }
        return state;
    }

    @Override
    public String toString() {
        Standing now = now();
        return "lease " + name() + ", epoch " + epoch + ", holder " + holder + ", " + now.stage;
    }

    /**
     * Moves the deadline: a renew begun at that moment is confirmed. False where the deadline had passed before, or the
     * term had ended.
     */
    boolean confirm(Moment begun) {
        for (; ; ) {
            Standing now = now();
            if (!isHeld()) {
                return false;
            }
            Standing next = new Standing(now.stage, begun, now.surrendered, now.reason);
            if (standing.compareAndSet(now, next)) {
                return true;
            }
        }
    }

    /** Begins a surrender that leaves the lease valid while the work stops. False where one had begun. */
    boolean drain(SurrenderReason reason) {
        return isHeld() && leaveFrom(Stage.HELD, Stage.DRAINING, reason);
    }

    /** Ends the term at once. False where it had ended. */
    boolean end(SurrenderReason reason) {
        return leaveFrom(Stage.HELD, Stage.ENDED, reason) || leaveFrom(Stage.DRAINING, Stage.ENDED, reason);
    }

    /**
     * Applies the drain point and the deadline. Called by a timer, whatever the renewing thread is doing, and by every step.
     *
     * @return nanoseconds until it has to be applied again
     */
    long enforce() {
        if (!isHeld()) {
            return Long.MAX_VALUE;
        }
        long elapsed = elapsedNs(now());
        if (elapsed >= untilDrainPointNs) {
            drain(SurrenderReason.UNCONFIRMED);
            return Math.max(0, validNs - elapsed);
        }
        return untilDrainPointNs - elapsed;
    }

    boolean isDraining() {
        return now().stage == Stage.DRAINING;
    }

    /** Whether work that has not stopped by now has used up the drain timeout. */
    boolean drainTimeoutPassed() {
        Moment since = now().surrendered;
        return since != null
                && clock.elapsedNsSince(since) >= settings.drainTimeout().toNanos();
    }

    Moment lastConfirmed() {
        return now().confirmed;
    }

    /** The moment after its end that is given to a commit which was about to return. */
    long graceNs() {
        return settings.renewInterval().toNanos();
    }

    /** Nanoseconds until the deadline of a term that has ended or not; negative when past. */
    long untilDeadlineNs() {
        return validNs - elapsedNs(now());
    }

    @Nullable
    SurrenderReason reason() {
        return now().reason;
    }

    private Standing now() {
        return Objects.requireNonNull(standing.get());
    }

    private boolean leaveFrom(Stage from, Stage to, SurrenderReason reason) {
        for (; ; ) {
            Standing now = now();
            if (now.stage != from) {
                return false;
            }
            if (leave(now, to, reason)) {
                return true;
            }
        }
    }

    /** The only way to change the stage. Whoever ends the stage HELD tells of the surrender. */
    private boolean leave(Standing now, Stage to, SurrenderReason reason) {
        boolean first = now.stage == Stage.HELD;
        SurrenderReason kept = now.reason != null ? now.reason : reason;
        Moment since = now.surrendered != null ? now.surrendered : clock.now();
        if (!standing.compareAndSet(now, new Standing(to, now.confirmed, since, kept))) {
            return false;
        }
        if (first) {
            onSurrender.accept(this, kept);
        }
        return true;
    }

    private long elapsedNs(Standing at) {
        return clock.elapsedNsSince(at.confirmed);
    }
}
