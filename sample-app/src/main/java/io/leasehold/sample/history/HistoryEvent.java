package io.leasehold.sample.history;

/** What a process of the sample can note in its history. */
public enum HistoryEvent {
    /** The process is up. */
    STARTED,
    /** The publisher has sent an event for the first time. */
    PUBLISHED,
    /** The publisher will publish nothing new. */
    STOPPED,
    /** A replica leads: the term with this epoch has begun. */
    ACQUIRED,
    /** A replica has read the checkpoint; the number is the last event that it covers. */
    RESUMED,
    /** A replica was given an event by the broker, new or repeated. */
    RECEIVED,
    /** The work of an event is done, and the checkpoint not yet committed. */
    WORKED,
    /** The commit of the checkpoint has returned. */
    ACKNOWLEDGED,
    /** The commit was refused; the detail says by what. */
    REFUSED,
    /** The outcome of the commit is not known; the event is tried again. */
    UNKNOWN,
    /** A replica's term ends; the detail is the reason. */
    SURRENDERED,
    /** The demo has killed the replica in the detail. */
    KILLED,
    /** The demo has frozen the replica in the detail. */
    FROZEN,
    /** The demo has let the replica in the detail go on. */
    THAWED,
    /** The demo has told the replica in the detail to step down. */
    STEPPED_DOWN
}
