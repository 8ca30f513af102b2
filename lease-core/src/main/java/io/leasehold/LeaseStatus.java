package io.leasehold;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a contender stands at one moment. Immutable.
 *
 * @param phase what it does
 * @param holder its own holder id
 * @param epoch the epoch of its own term while it holds, else the highest it has seen; 0 for none
 * @param currentHolder the holder id in the lease as last seen; null where nobody's could be read
 * @param remaining how long the term lasts if nothing more is confirmed; zero on a standby
 * @param lastConfirmed the wall-clock time of the last confirmed renew or claim of the current term; null on a standby
 * @param sinceConfirmed the time since then, the larger of the monotonic and the wall clock's; zero on a standby
 * @param unverifiedRenews renews since the start that were written, or may have been, and could not be confirmed
 * @param unverifiedStreak how many of them in a row until now
 * @param reachable whether the last look at the lease succeeded
 * @param lastFailure the message of the last failure of the lease store; null where there was none
 * @param stateFailure why the state cannot be read or opened at present; null where it can, or there is no state store
 */
public record LeaseStatus(
        LeasePhase phase,
        String holder,
        long epoch,
        @Nullable String currentHolder,
        Duration remaining,
        @Nullable Instant lastConfirmed,
        Duration sinceConfirmed,
        long unverifiedRenews,
        long unverifiedStreak,
        boolean reachable,
        @Nullable String lastFailure,
        @Nullable String stateFailure) {

    /**
     * What this process is to the lease, in a word.
     *
     * @return {@code leader} until its term is over and its work has stopped, or {@code standby}, or {@code none} where it
     *     does not contend
     */
    public String role() {
        return switch (phase) {
            case HOLDING, DRAINING -> "leader";
            case STANDBY -> "standby";
            case CLOSED -> "none";
        };
    }

    static LeaseStatus notStarted(String holder) {
        return new LeaseStatus(
                LeasePhase.CLOSED, holder, 0, null, Duration.ZERO, null, Duration.ZERO, 0, 0, true, null, null);
    }
}
