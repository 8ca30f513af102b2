package io.leasehold.state;

/**
 * A higher epoch owns the state: the writer's term is over. The outcome of the refused commit is unknown to the writer;
 * the successor either read it or never will, and nothing it wrote itself is changed.
 */
public class StateFenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The epoch of the writer that was refused. */
    private final long ownEpoch;

    /** The higher epoch that was found. */
    private final long foundEpoch;

    /**
     * A refusal.
     *
     * @param location the state's path or address
     * @param ownEpoch the epoch of the writer that was refused
     * @param foundEpoch the epoch that was found
     */
    public StateFenceException(String location, long ownEpoch, long foundEpoch) {
        super("The state at " + location + " belongs to epoch " + foundEpoch + "; a write with epoch " + ownEpoch
                + " is refused, and its outcome is unknown. This process no longer leads.");
        this.ownEpoch = ownEpoch;
        this.foundEpoch = foundEpoch;
    }

    /**
     * The epoch of the writer that was refused.
     *
     * @return its number
     */
    public long ownEpoch() {
        return ownEpoch;
    }

    /**
     * The epoch that owns the state.
     *
     * @return its number, as seen when the write was refused
     */
    public long foundEpoch() {
        return foundEpoch;
    }
}
