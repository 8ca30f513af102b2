package io.leasehold.spring;

/** What the listener containers that follow a lease are doing. */
public enum ListenersStage {
    /** None runs: this process does not lead. */
    HELD_BACK,
    /** The lease has been acquired, and they are starting. */
    STARTING,
    /** They have been started. */
    STARTED,
    /** A surrender has begun, and they are stopping. */
    STOPPING,
    /** They are stopping and have used up the drain timeout. */
    STOP_NOT_CONFIRMED
}
