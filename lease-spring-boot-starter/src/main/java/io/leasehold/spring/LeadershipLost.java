package io.leasehold.spring;

import io.leasehold.SurrenderReason;
import java.time.Duration;

/**
 * This process stops leading. Published to the application context once for every {@link LeadershipAcquired}, when the
 * surrender begins: the listener containers have been told to stop, and messages may still be in flight. The lease is
 * released only after the listeners of this event have returned, so work that they stop has ended before another begins.
 * A listener of this event that throws is logged and changes nothing.
 *
 * @param name the lease's name
 * @param epoch the number of the term that ends
 * @param reason why it ends
 * @param held how long this process led
 */
public record LeadershipLost(String name, long epoch, SurrenderReason reason, Duration held) {}
