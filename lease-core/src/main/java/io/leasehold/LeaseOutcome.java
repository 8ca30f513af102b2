package io.leasehold;

/** How a {@link LeaseOperation} ended. */
public enum LeaseOutcome {
    /** The claim was won, its state is open, and the term begins. */
    ACQUIRED,
    /** Another claimed first, or the claim could not be confirmed and was given up. */
    LOST,
    /** Every listener has begun its work. */
    STARTED,
    /** The term's end, or a close, came first. */
    ABANDONED,
    /** The renew is known to be in the store, and nothing higher is. */
    CONFIRMED,
    /** The renew was written and could not be confirmed. */
    UNVERIFIED,
    /** A higher epoch, or another claim of the same one, was found. */
    SUPERSEDED,
    /** The write is durable, and in every later state. */
    ACKNOWLEDGED,
    /** A higher epoch was found in the state. */
    FENCED,
    /** The work has stopped, and the lease was given back. */
    RELEASED,
    /** The work has stopped, and the lease was not given back: it was another's already, or the write failed. */
    STOPPED,
    /** The deadline passed first; where an exception is the cause, it is the last of them. */
    EXPIRED,
    /** An exception, or an answer that cannot be understood: what was written, if anything, is not known. */
    FAILED
}
