package io.leasehold.sample.process;

/**
 * A line that was read from the standard input.
 *
 * @param text the line
 */
public record ConsoleLine(String text) {
    /** Tells a replica to step down. */
    public static final String STEP_DOWN = "step-down";

    /** Tells the publisher to publish nothing more. */
    public static final String STOP_PUBLISHING = "stop-publishing";
}
