package io.leasehold;

import java.util.List;

/** What a contender does that can be observed. */
public enum LeaseOperation {
    /** A claim that was made, from before its write until its state is open and the term begins, or it is given up. */
    ACQUIRE,
    /** The start of a term's work: from the term's beginning until every listener has returned from {@code onAcquired}. */
    START,
    /** One attempt to renew: the look at the lease, and the write that follows it. */
    RENEW,
    /** One write of the state, which may be that of several commits. */
    COMMIT,
    /** The end of a term: from the surrender until the lease is released, its work has stopped or its deadline has passed. */
    DRAIN;

    /**
     * How it can end.
     *
     * @return all outcomes, the desired one first
     */
    public List<LeaseOutcome> outcomes() {
        return switch (this) {
            case ACQUIRE ->
                List.of(
                        LeaseOutcome.ACQUIRED,
                        LeaseOutcome.LOST,
                        LeaseOutcome.FENCED,
                        LeaseOutcome.EXPIRED,
                        LeaseOutcome.FAILED,
                        LeaseOutcome.ABANDONED);
            case START -> List.of(LeaseOutcome.STARTED, LeaseOutcome.FAILED, LeaseOutcome.ABANDONED);
            case RENEW ->
                List.of(
                        LeaseOutcome.CONFIRMED,
                        LeaseOutcome.UNVERIFIED,
                        LeaseOutcome.SUPERSEDED,
                        LeaseOutcome.EXPIRED,
                        LeaseOutcome.FAILED);
            case COMMIT -> List.of(LeaseOutcome.ACKNOWLEDGED, LeaseOutcome.FENCED, LeaseOutcome.FAILED);
            case DRAIN -> List.of(LeaseOutcome.RELEASED, LeaseOutcome.STOPPED, LeaseOutcome.EXPIRED);
        };
    }
}
