package io.leasehold.store;

/** What is known after a write that did not throw. */
public enum WriteOutcome {
    /** The record is in the store, and a look begun after the write showed it there and nothing higher. */
    CONFIRMED,
    /** The lease belongs to another: a higher epoch, or contents other than expected. The record counts for nothing. */
    SUPERSEDED,
    /** The record was written, but the look after it failed or did not show it: no one may rely on it. */
    UNVERIFIED
}
