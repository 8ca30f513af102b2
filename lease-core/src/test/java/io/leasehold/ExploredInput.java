package io.leasehold;

/**
 * One thing that happens to an explored process.
 *
 * @param reply the number of the reply that is heard; 0 where nothing was asked for
 */
record ExploredInput(Kind kind, int reply) {
    enum Kind {
        /** Its clocks go on. */
        TICK,
        /** Its clocks go on by as much as a failed operation waits before it is tried again. */
        MOMENT,
        /** The runner takes a step. */
        STEP,
        /** The work commits an entry. */
        COMMIT,
        /** The step or commit hears of its request. */
        HEARS,
        /** The work has stopped. */
        WORK_STOPS,
        /** The timer applies the deadline. */
        GUARD,
        /** It is asked to step down. */
        STEP_DOWN
    }

    ExploredInput(Kind kind) {
        this(kind, 0);
    }
}
