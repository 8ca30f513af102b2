package io.leasehold.spring;

/**
 * This process leads. Published to the application context for every term, before the listener containers are started, so
 * that what listeners of this event prepare is there for the first message. A listener of this event that takes long
 * delays the start; one that throws is logged and changes nothing.
 *
 * <p>Always followed by one {@link LeadershipLost} with the same epoch before the next event of this type, unless the
 * process ends.
 *
 * @param name the lease's name
 * @param holder the holder id of this process
 * @param epoch the number of the term; the fencing token
 */
public record LeadershipAcquired(String name, String holder, long epoch) {}
