package io.leasehold.torture;

/** What must hold of every set of histories. */
enum Rule {
    /** A term is not held after a higher one has begun: so never two at a time, and epochs rise with time. */
    ONE_HOLDER,
    /** No epoch is led twice. */
    UNIQUE_EPOCHS,
    /** A term that was over is not held again. */
    NO_REVIVAL,
    /** Listeners are told of terms in strict pairs, with rising epochs. */
    PAIRED_CALLS,
    /** Every term finds every commit that was acknowledged to a lower epoch. */
    KEPT_COMMITS,
    /** Every term finds a state that one commit wrote as a whole. */
    WHOLE_STATES,
    /** A commit that is called after a higher epoch was opened is not acknowledged. */
    FENCED_COMMITS,
    /** A term that was released had no work left when the next one began. */
    WORK_BEFORE_RELEASE,
    /** Every event up to the last acknowledged commit was handled. */
    NOTHING_SKIPPED
}
