package io.leasehold;

import java.util.Map;

/**
 * What has happened since the lease object was made. Immutable; every constant of each enum is present.
 *
 * @param acquired terms begun
 * @param surrendered terms ended, by reason
 * @param renewals renews tried, by outcome
 * @param commits commits of the state, by outcome
 */
public record LeaseCounts(
        long acquired,
        Map<SurrenderReason, Long> surrendered,
        Map<RenewOutcome, Long> renewals,
        Map<CommitOutcome, Long> commits) {

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
