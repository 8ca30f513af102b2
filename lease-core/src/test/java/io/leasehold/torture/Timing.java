package io.leasehold.torture;

import java.time.Duration;

/**
 * The durations of a scenario.
 *
 * @param ttl how long a term lasts without a confirmed renew
 * @param drain how long the work may take to stop
 * @param skew how far apart wall clocks may be, at a cold start
 */
record Timing(Duration ttl, Duration drain, Duration skew) {

    /** A ttl of this machine's pace, with a quarter of it for the work to stop. */
    static Timing ofMillis(long usualTtlMs) {
        long ttlMs = usualTtlMs * Torture.pace();
        return new Timing(Duration.ofMillis(ttlMs), Duration.ofMillis(ttlMs / 4), Duration.ofSeconds(60));
    }

    /** So many ttls. */
    Duration ttls(double number) {
        return Duration.ofNanos(Math.round(ttl.toNanos() * number));
    }
}
