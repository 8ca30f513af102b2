package io.leasehold;

/** The two clocks of a simulated host: set apart from those of others, drifting, stepped, or standing still in part. */
final class SimulatedClock implements LeaseClock {
    private static final long NS_PER_MS = 1_000_000;
    private static final long PARTS = 1_000_000;

    private final long driftPpm;
    private final Runnable onRead;
    private long monotonicNs;
    private long wallNs;
    private boolean suspended;

    /**
     * Clocks that show something at the start.
     *
     * @param onRead called before each reading; may pause the reader
     */
    SimulatedClock(long monotonicNs, long wallMs, long driftPpm, Runnable onRead) {
        this.monotonicNs = monotonicNs;
        this.wallNs = wallMs * NS_PER_MS;
        this.driftPpm = driftPpm;
        this.onRead = onRead;
    }

    @Override
    public long nanoTime() {
        onRead.run();
        return monotonicNs;
    }

    @Override
    public long currentTimeMillis() {
        onRead.run();
        return Math.floorDiv(wallNs, NS_PER_MS);
    }

    /** The monotonic clock, read by the simulation itself. */
    long monotonicNs() {
        return monotonicNs;
    }

    /** True time goes on. */
    void advance(long ns) {
        long shown = ns + ns / PARTS * driftPpm;
        wallNs += shown;
        if (!suspended) {
            monotonicNs += shown;
        }
    }

    void stepWall(long ms) {
        wallNs += ms * NS_PER_MS;
    }

    /** The monotonic clock of a suspended host stands still. */
    void setSuspended(boolean now) {
        suspended = now;
    }
}
