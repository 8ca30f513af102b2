package io.leasehold;

import io.leasehold.SimulatedClock.Mode;
import io.leasehold.SimulationScenario.ClockHabit;
import io.leasehold.file.SimulatedDisk;
import io.leasehold.file.StaleView;
import java.util.ArrayList;
import java.util.List;

/** A simulated host: its clocks, its trouble with the storage, and what the storage still does on its behalf. */
final class SimulatedHost {
    /** Why operations of a host fail. */
    enum Cause {
        /** What happened is not known. */
        INPUT_OUTPUT_ERROR("Input/output error"),
        /** Nothing happened. */
        STALE_FILE_HANDLE("Stale file handle"),
        /** Nothing is created or written any more; it can be read, renamed and deleted. */
        NO_SPACE_LEFT("No space left on device");

        /** What the operating system calls it. */
        final String text;

        Cause(String text) {
            this.text = text;
        }
    }

    /** Reads, writes and links that fail with these probabilities until some time. */
    record Trouble(Cause cause, double reads, double writes, double links, long untilNs) {
        static final Trouble NONE = new Trouble(Cause.INPUT_OUTPUT_ERROR, 0, 0, 0, Long.MAX_VALUE);
    }

    private final SimulatedClock clock;
    private final ClockHabit habit;
    private final StaleView view;
    private final List<Runnable> underWay = new ArrayList<>();
    private Trouble trouble = Trouble.NONE;
    private long staleUntilNs = Long.MAX_VALUE;
    private long frozenUntilNs;
    private boolean wallIsCorrected;
    private long restartAtNs;
    private long steppedMs;

    SimulatedHost(SimulatedClock clock, ClockHabit habit, SimulatedDisk disk) {
        this.clock = clock;
        this.habit = habit;
        this.view = new StaleView(disk);
    }

    SimulatedClock clock() {
        return clock;
    }

    ClockHabit habit() {
        return habit;
    }

    StaleView view() {
        return view;
    }

    void trouble(Trouble now) {
        trouble = now;
    }

    Trouble trouble() {
        return trouble;
    }

    /** What its view keeps is shown until some time. */
    void stale(long untilNs) {
        staleUntilNs = untilNs;
    }

    /** Sets the wall clock so far from where it would be had it never been set. */
    void stepWallTo(long ms) {
        clock.stepWall(ms - steppedMs);
        steppedMs = ms;
    }

    /** Nothing runs here until some time; afterwards a wall clock that stood still is set right, or is not. */
    void freeze(long untilNs, Mode mode, boolean wallIsCorrectedAfterwards) {
        frozenUntilNs = untilNs;
        wallIsCorrected = wallIsCorrectedAfterwards;
        clock.setMode(mode);
    }

    boolean isFrozen() {
        return frozenUntilNs != 0;
    }

    long frozenUntilNs() {
        return frozenUntilNs;
    }

    /** The process that crashed here is started again at some time. */
    void restartAt(long atNs) {
        restartAtNs = atNs;
    }

    long restartAtNs() {
        return restartAtNs;
    }

    /** True time has come: what was to end by then ends. */
    void timeIs(long nowNs) {
        if (nowNs >= trouble.untilNs) {
            trouble = Trouble.NONE;
        }
        if (nowNs >= staleUntilNs) {
            endStaleness();
        }
        if (isFrozen() && nowNs >= frozenUntilNs) {
            thaw();
        }
    }

    private void endStaleness() {
        view.clear();
        staleUntilNs = Long.MAX_VALUE;
    }

    private void thaw() {
        frozenUntilNs = 0;
        clock.setMode(Mode.BOTH_GO_ON);
        if (wallIsCorrected) {
            clock.correctWall();
        }
    }

    /** All trouble ends. */
    void calm() {
        trouble = Trouble.NONE;
        underWay.clear();
        endStaleness();
        thaw();
    }

    List<Runnable> underWay() {
        return underWay;
    }
}
