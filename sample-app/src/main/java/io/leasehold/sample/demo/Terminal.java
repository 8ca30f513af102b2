package io.leasehold.sample.demo;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** What the demo prints while it runs: lines with the time since its start. Used by one thread. */
final class Terminal {
    private final PrintStream out;
    private final Instant begin = Instant.now();

    Terminal(PrintStream out) {
        this.out = out;
    }

    void heading(String text) {
        out.println();
        out.println(text);
    }

    /** A line about now. */
    void line(String text) {
        line(Instant.now(), text);
    }

    /** A line about a moment of the run. */
    void line(Instant at, String text) {
        double seconds = Duration.between(begin, at).toMillis() / 1000.0;
        out.println(String.format(Locale.ROOT, "  %6.1f s  %s", seconds, text));
    }

    /** A line outside the course of time. */
    void plain(String text) {
        out.println(text);
    }
}
