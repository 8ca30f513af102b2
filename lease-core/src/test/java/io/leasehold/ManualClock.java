package io.leasehold;

import java.time.Duration;
import java.time.Instant;

/** Two clocks that a test moves by hand, together or one at a time. */
final class ManualClock implements LeaseClock {
    private long monotonicNs = 1_000_000_000L;
    private long wallMs = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    @Override
    public synchronized long nanoTime() {
        return monotonicNs;
    }

    @Override
    public synchronized long currentTimeMillis() {
        return wallMs;
    }

    void advance(Duration time) {
        advanceMonotonic(time);
        advanceWall(time);
    }

    synchronized void advanceMonotonic(Duration time) {
        monotonicNs += time.toNanos();
    }

    synchronized void advanceWall(Duration time) {
        wallMs += time.toMillis();
    }
}
