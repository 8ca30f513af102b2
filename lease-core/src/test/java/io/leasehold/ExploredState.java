package io.leasehold;

import java.util.Arrays;

/** One state of everything: numbers of what the parts are in. Immutable. */
final class ExploredState {
    /** No process is in the middle of a step or a commit that was not paused. */
    static final int NOBODY = -1;

    /** The number of a process's state while it is not running. */
    static final int DOWN = -1;

    private static final int TICK = 0;
    private static final int DISK = 1;
    private static final int CHECKS = 2;
    private static final int GOING_ON = 3;
    private static final int SPENT = 4;
    private static final int SPENT_MORE = 5;
    private static final int ASLEEP = 6;
    private static final int PROCESSES = 7;

    private final int[] numbers;
    private final int hash;

    private ExploredState(int[] numbers) {
        this.numbers = numbers;
        this.hash = hash(numbers);
    }

    /** Small numbers, spread over the whole range: the usual hash of an array has the same for very many of them. */
    private static int hash(int[] numbers) {
        long hash = 0;
        for (int number : numbers) {
            hash = (hash ^ number) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
        }
        return (int) (hash ^ (hash >>> 32));
    }

    /** The beginning: no process runs. */
    static ExploredState begin(int disk, int checks, int processes) {
        int[] numbers = new int[PROCESSES + processes];
        numbers[DISK] = disk;
        numbers[CHECKS] = checks;
        numbers[GOING_ON] = NOBODY;
        Arrays.fill(numbers, PROCESSES, numbers.length, DOWN);
        return new ExploredState(numbers);
    }

    int tick() {
        return numbers[TICK];
    }

    int disk() {
        return numbers[DISK];
    }

    int checks() {
        return numbers[CHECKS];
    }

    /** The process that is in the middle of a step or a commit and was not paused; or nobody. */
    int goingOn() {
        return numbers[GOING_ON];
    }

    /** Whether a process lets a step wait that was due before the last tick. */
    boolean isAsleep(int which) {
        return ((numbers[ASLEEP] >> which) & 1) == 1;
    }

    int processes() {
        return numbers.length - PROCESSES;
    }

    /** The state of a process. */
    int process(int which) {
        return numbers[PROCESSES + which];
    }

    /** How often something has happened. */
    int spent(int what) {
        return numbers[what < 8 ? SPENT : SPENT_MORE] >> (4 * (what % 8)) & 15;
    }

    Change change() {
        return new Change(numbers.clone());
    }

    /** A state in the making. */
    static final class Change {
        private final int[] numbers;

        private Change(int[] numbers) {
            this.numbers = numbers;
        }

        Change tick() {
            numbers[TICK]++;
            return this;
        }

        Change disk(int disk) {
            numbers[DISK] = disk;
            return this;
        }

        Change checks(int checks) {
            numbers[CHECKS] = checks;
            return this;
        }

        Change goingOn(int whoever) {
            numbers[GOING_ON] = whoever;
            return this;
        }

        Change asleep(int which, boolean asleep) {
            int bit = 1 << which;
            numbers[ASLEEP] = asleep ? numbers[ASLEEP] | bit : numbers[ASLEEP] & ~bit;
            return this;
        }

        Change process(int which, int state) {
            numbers[PROCESSES + which] = state;
            return this;
        }

        Change spend(int what) {
            numbers[what < 8 ? SPENT : SPENT_MORE] += 1 << (4 * (what % 8));
            return this;
        }

        ExploredState done() {
            return new ExploredState(numbers);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ExploredState state && Arrays.equals(numbers, state.numbers);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
