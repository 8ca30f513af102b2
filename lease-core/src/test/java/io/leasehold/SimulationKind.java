package io.leasehold;

import io.leasehold.SimulationChecks.Rule;

/**
 * What a history may contain besides the faults that every history may. Where that is more than the protocol covers, only
 * the weaker properties that remain are checked; all other rules are, and somebody leads again once the trouble has ended.
 */
enum SimulationKind {
    /** Nothing beyond the protocol: every rule holds. */
    SOUND,

    /**
     * For a while, some hosts see the lease's directory as it was, apart from their own changes; the state is on storage
     * that is sound. Such a host takes a lease over that is being renewed, or goes on renewing what was taken over: two
     * processes may lead at once, and a term may begin after one with a higher epoch. No epoch is led twice, because names
     * are still created exclusively. Every acknowledged commit is kept, and a sealed epoch commits nothing more: both rest
     * on the state's directory alone.
     */
    STALE_LEASE,

    /**
     * The state's directory is stale as well. A commit looks for higher epochs in an old listing and finds none, and a
     * successor may read an old state: commits can be lost. What is left is that no epoch is led twice.
     */
    STALE_STORAGE,

    /**
     * Both clocks of a host stand still for a while, as those of a virtual machine that is frozen and resumed. Its holder
     * cannot know that its term is over: only the fence, which knows no time, stops its commits, and only links keep epochs
     * unique.
     */
    CLOCKS_STAND_STILL,

    /**
     * The lease is on a server whose replica takes over without its last writes; the state is on another one, which loses
     * nothing. A holder and its predecessor, or its successor, may both find their own lease there for a moment. No epoch is
     * led twice and every acknowledged commit is kept: both rest on the state alone.
     */
    LEASE_FAILS_OVER,

    /**
     * Both are on such a server. Acknowledged commits and whole terms can be lost with the writes that the replica has not
     * heard of. What is left is that a term never comes back and that somebody leads.
     */
    STORES_FAIL_OVER;

    /** Whether a rule need not hold in such a history. */
    boolean excuses(Rule rule) {
        return switch (rule) {
            case ONE_HOLDER, EPOCHS_RISE -> this != SOUND;
            case COMMITS_ARE_KEPT, A_SEAL_FENCES -> this == STALE_STORAGE || this == STORES_FAIL_OVER;
            case AN_EPOCH_IS_HELD_ONCE -> this == STORES_FAIL_OVER;
            case A_TERM_NEVER_COMES_BACK,
                    CALLS_COME_IN_PAIRS,
                    RELEASED_AFTER_THE_WORK,
                    STEPS_RETURN,
                    SOMEBODY_LEADS,
                    A_HOT_STANDBY_TAKES_OVER -> false;
        };
    }

    /** Whether it is one of a server, instead of one of files. */
    boolean isOfServers() {
        return failsOver() || this == SOUND || this == CLOCKS_STAND_STILL;
    }

    boolean failsOver() {
        return this == LEASE_FAILS_OVER || this == STORES_FAIL_OVER;
    }

    boolean isStale() {
        return this == STALE_LEASE || this == STALE_STORAGE;
    }
}
