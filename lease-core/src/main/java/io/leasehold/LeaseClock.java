package io.leasehold;

import java.util.concurrent.TimeUnit;

/**
 * The two clocks of a holder. Elapsed time is the larger of both differences: the monotonic clock stops while a machine is
 * suspended, and the wall clock can be set.
 */
interface LeaseClock {

    /** The clocks of this machine. */
    LeaseClock SYSTEM = new LeaseClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            return System.currentTimeMillis();
        }
    };

    /** The monotonic clock in nanoseconds, as {@link System#nanoTime()}. */
    long nanoTime();

    /** The wall clock in milliseconds, as {@link System#currentTimeMillis()}. */
    long currentTimeMillis();

    /** Both clocks at one moment. */
    default Moment now() {
        return new Moment(nanoTime(), currentTimeMillis());
    }

    /** The time since a moment: the larger of what the two clocks say, in nanoseconds. */
    default long elapsedNsSince(Moment moment) {
        return Math.max(
                nanoTime() - moment.monotonicNs(),
                TimeUnit.MILLISECONDS.toNanos(currentTimeMillis() - moment.wallMs()));
    }

    /** A reading of both clocks. */
    record Moment(long monotonicNs, long wallMs) {}
}
