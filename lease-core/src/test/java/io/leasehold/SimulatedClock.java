package io.leasehold;

/** The two clocks of a simulated host: set apart from those of others, slewed, stepped, or standing still in part. */
final class SimulatedClock implements LeaseClock {
    /** What the clocks do while nothing runs on their host. */
    enum Mode {
        /** Both go on, as where a process is stopped. */
        BOTH_GO_ON,
        /** The monotonic clock stands still, as where a machine is suspended. */
        WALL_CLOCK_GOES_ON,
        /** Both stand still, as where a virtual machine is frozen. */
        BOTH_STAND_STILL
    }

    private static final long NS_PER_MS = 1_000_000;
    private static final long PARTS = 1_000_000;

    private final Runnable onRead;
    private long slewPpm;
    private long monotonicNs;
    private long wallNs;
    private long wallBehindNs;
    private Mode mode = Mode.BOTH_GO_ON;

    /**
     * Clocks that show something at the start.
     *
     * @param onRead called before each reading; may pause the reader
     */
    SimulatedClock(long monotonicNs, long wallMs, long slewPpm, Runnable onRead) {
        this.monotonicNs = monotonicNs;
        this.wallNs = wallMs * NS_PER_MS;
        this.slewPpm = slewPpm;
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
        long shown = ns + ns * slewPpm / PARTS;
        if (mode == Mode.BOTH_STAND_STILL) {
            wallBehindNs += shown;
            return;
        }
        wallNs += shown;
        if (mode == Mode.BOTH_GO_ON) {
            monotonicNs += shown;
        }
    }

    void stepWall(long ms) {
        wallNs += ms * NS_PER_MS;
    }

    /** Sets the wall clock to what it would show had it never stood still. */
    void correctWall() {
        wallNs += wallBehindNs;
        wallBehindNs = 0;
    }

    /** From now on both clocks go so much faster than true time, or slower. */
    void slew(long ppm) {
        slewPpm = ppm;
    }

    void setMode(Mode now) {
        mode = now;
    }
}
