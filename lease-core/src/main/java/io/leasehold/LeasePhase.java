package io.leasehold;

/** Where one contender stands. */
public enum LeasePhase {
    /** Does not hold the lease, watches it, and claims it when it may. */
    STANDBY,
    /** Holds the lease; its listeners work. */
    HOLDING,
    /** A surrender has begun; its listeners are stopping. */
    DRAINING,
    /** Does not contend: not started, or closed. */
    CLOSED
}
