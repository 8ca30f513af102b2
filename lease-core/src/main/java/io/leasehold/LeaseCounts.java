package io.leasehold;

import java.time.Duration;
import java.util.Map;

/**
 * What has happened since the lease object was made. Immutable; every constant of each enum is present.
 *
 * @param acquired terms begun
 * @param surrendered terms ended, by reason
 * @param renewals renews tried, by outcome
 * @param commits commits of the state, by outcome
 * @param handOvers what it took to take over from others
 */
public record LeaseCounts(
        long acquired,
        Map<SurrenderReason, Long> surrendered,
        Map<RenewOutcome, Long> renewals,
        Map<CommitOutcome, Long> commits,
        HandOvers handOvers) {

    /**
     * Terms that followed that of another holder, whose work has begun, and how long that took: from when this process, as a
     * standby, last saw the other's lease change (a renew, or its release) until all listeners had returned from {@code
     * onAcquired}. Only where it saw such a change: what began before it watched cannot be told.
     *
     * @param number how many
     * @param time the time that they took together
     */
    public record HandOvers(long number, Duration time) {}

    /** How a renew ended. */
    public enum RenewOutcome {
        /** It is known to be in the store, and nothing higher is. */
        CONFIRMED,
        /** It was written and could not be confirmed. */
        UNVERIFIED,
        /** It is not known whether it was written. */
        FAILED
    }

    /** How a commit of the state ended. */
    public enum CommitOutcome {
        /** Durable, and in every later state. */
        ACKNOWLEDGED,
        /** Refused for a higher epoch. */
        FENCED,
        /** Not known. */
        UNKNOWN
    }
}
