package io.leasehold.torture;

/** What a process writes down. The number and the detail of a line mean something where this says so. */
enum HistoryEvent {
    /** The process contends; the number is its wall clock in milliseconds. */
    STARTED,
    /** Both clocks were asked for; the number is the wall clock in milliseconds. */
    CLOCK,
    /** A claim has ended; the detail is its outcome. */
    CLAIMED,
    /** A renew has ended otherwise than confirmed; the detail is its outcome. */
    RENEWED,
    /** The listener was told of a term; the detail is the state that was found. */
    ACQUIRED,
    /** {@code isHeld()} was called after the line's first time, and its answer, true, was there before its second. */
    HELD,
    /** The same with the answer false. */
    OVER,
    /** An event, whose number this is, was handled between the two times. */
    HANDLED,
    /** A commit of everything up to the number is about to be called. */
    COMMITTING,
    /** A commit was called after the first time, and returned before the second. */
    ACKNOWLEDGED,
    /** The same, but it threw; the detail tells what. */
    REFUSED,
    /** The listener was told that the term ends; the detail is the reason. */
    SURRENDERED,
    /** The work of the term has stopped, and the listener returns. */
    STOPPED,
    /** The term is over; the detail is the outcome. */
    DRAINED,
    /** A command was carried out; the detail is the command. */
    DONE,
    /** The process has closed its lease, and ends. */
    CLOSED
}
