package io.leasehold.sample.process;

/** The names that the processes have to agree on. */
public final class SharedNames {
    /** The topic of the numbered events. */
    public static final String EVENTS = "events";

    /** The header with the number of an event. */
    public static final String NUMBER = "number";

    /** The topic of requests to publish events again. */
    public static final String REPLAYS = "events.replay";

    /** The header with the first event to publish again. */
    public static final String FROM = "from";

    /** The key of the checkpoint in the state: its value is the number of the last event that was acknowledged. */
    public static final String CHECKPOINT = "events";

    private SharedNames() {}
}
