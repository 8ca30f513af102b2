package io.leasehold;

import java.util.concurrent.TimeUnit;

/**
 * Tries seeds from 1 on for a few seconds: {@code -Dleasehold.fuzz.seconds} sets for how many, {@code -Dleasehold.fuzz.seed}
 * repeats one.
 */
public final class Fuzz {
    private static final int SECONDS = 4;

    private Fuzz() {}

    /** What is done with one seed. */
    public interface Trial {
        void run(long seed) throws Exception;
    }

    /** Runs the trial for one seed after another, and tells the seed of one that fails. */
    public static void run(String what, Trial trial) {
        Long only = Long.getLong("leasehold.fuzz.seed");
        long untilNs =
                System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("leasehold.fuzz.seconds", SECONDS));
        long seed = only != null ? only : 1;
        do {
            try {
                trial.run(seed);
            } catch (Exception | Error e) {
                throw new AssertionError(what + ", -Dleasehold.fuzz.seed=" + seed, e);
            }
            seed++;
        } while (only == null && System.nanoTime() - untilNs < 0);
        System.out.println("Fuzz: " + what + ", seeds up to " + (seed - 1));
    }

    /** Whether one seed is repeated, so that sums over many mean nothing. */
    public static boolean isRepeated() {
        return Long.getLong("leasehold.fuzz.seed") != null;
    }
}
