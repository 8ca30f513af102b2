package io.leasehold;

/** Why a term ended. */
public enum SurrenderReason {
    /** {@link LeaderLease#stepDown()} was called. */
    STEPPED_DOWN,
    /** {@link LeaderLease#close()} was called. */
    CLOSED,
    /** Another holds a higher epoch, or has written into this one. */
    SUPERSEDED,
    /** No renew was confirmed by the drain point. */
    UNCONFIRMED,
    /** The deadline passed before anything else could end the term: a freeze, a suspend, a clock set forward. */
    EXPIRED,
    /** The state store refused a commit because a higher epoch was opened there. */
    FENCED,
    /** A listener threw when the lease was acquired. */
    LISTENER_FAILED,
    /** The lease was claimed, but its state could not be opened; the term never began. */
    STATE_UNAVAILABLE
}
