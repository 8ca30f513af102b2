package io.leasehold;

import io.leasehold.SimulationScenario.ClockHabit;
import java.util.ArrayList;
import java.util.List;

/** A simulated host: its clocks, its trouble with the storage, and what the storage still does on its behalf. */
final class SimulatedHost {
    private final SimulatedClock clock;
    private final ClockHabit habit;
    private final List<Runnable> underWay = new ArrayList<>();
    private double reads;
    private double writes;
    private double links;
    private long troubleUntilNs;
    private long frozenUntilNs;
    private long restartAtNs;
    private long steppedMs;

    SimulatedHost(SimulatedClock clock, ClockHabit habit) {
        this.clock = clock;
        this.habit = habit;
    }

    SimulatedClock clock() {
        return clock;
    }

    ClockHabit habit() {
        return habit;
    }

    /** Reads, writes and links fail with these probabilities until some time. */
    void trouble(double readsFail, double writesFail, double linksFail, long untilNs) {
        reads = readsFail;
        writes = writesFail;
        links = linksFail;
        troubleUntilNs = untilNs;
    }

    /** Sets the wall clock so far from where it would be had it never been set. */
    void stepWallTo(long ms) {
        clock.stepWall(ms - steppedMs);
        steppedMs = ms;
    }

    /** Nothing runs here until some time; whether the monotonic clock goes on or not. */
    void freeze(long untilNs, boolean suspended) {
        frozenUntilNs = untilNs;
        clock.setSuspended(suspended);
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

    /** True time has come: trouble and freezes end. */
    void timeIs(long nowNs) {
        if (troubleUntilNs != 0 && nowNs >= troubleUntilNs) {
            trouble(0, 0, 0, 0);
        }
        if (isFrozen() && nowNs >= frozenUntilNs) {
            freeze(0, false);
        }
    }

    double readsFail() {
        return reads;
    }

    double writesFail() {
        return writes;
    }

    double linksFail() {
        return links;
    }

    List<Runnable> underWay() {
        return underWay;
    }
}
