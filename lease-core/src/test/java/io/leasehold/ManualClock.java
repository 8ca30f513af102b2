package io.leasehold;

import java.time.Duration;
import java.time.Instant;

/** Two clocks that a test moves by hand, together or one at a time. */
final class ManualClock implements LeaseClock {
    private int readsUntilJump;
    private Duration jump = Duration.ZERO;
    private long monotonicNs = 1_000_000_000L;
    private long wallMs = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

    @Override
    public synchronized long nanoTime() {
        if (readsUntilJump > 0 && --readsUntilJump == 0) {
            advance(jump);
        }
        return monotonicNs;
    }

    @Override
    public synchronized long currentTimeMillis() {
        return wallMs;
    }

    /** Lets so much time pass at once, just before the clock is read for the nth time from now on. */
    synchronized void jumpAtRead(int number, Duration time) {
        readsUntilJump = number;
        jump = time;
    }

    /** Whether the jump that was asked for is still to come. */
    synchronized boolean isJumpToCome() {
        return readsUntilJump > 0;
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
