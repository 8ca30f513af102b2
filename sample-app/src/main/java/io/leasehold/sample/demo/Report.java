package io.leasehold.sample.demo;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The table at the end. */
final class Report {
    private Report() {}

    /** The lines of the table. */
    static List<String> lines(Verdict verdict) {
        List<String> lines = new ArrayList<>();
        row(lines, "events published", verdict.published());
        row(lines, "acknowledged", verdict.acknowledged());
        row(lines, "in the checkpoint, acknowledgement not noted", verdict.storedUnseen());
        row(lines, "acknowledged twice", verdict.twice().size());
        row(lines, "lost", verdict.lost().size());
        row(lines, "worked on, then refused by the fence", verdict.fenced());
        row(lines, "worked on, then refused as the term was over", verdict.tooLate());
        row(lines, "worked on, then outcome of the commit unknown", verdict.unknown());
        row(lines, "final checkpoint", verdict.checkpoint());
        String epochs = verdict.epochs().stream().map(String::valueOf).collect(Collectors.joining(", "));
        lines.add(String.format(Locale.ROOT, "  %-46s %s", "epochs used", epochs));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "  %-20s %-12s %-12s %14s %18s",
                "hand-over",
                "from",
                "to",
                "until it led",
                "until it worked"));
        verdict.handOvers().forEach(handOver -> lines.add(line(handOver)));
        lines.add("");
        verdict.twice().forEach(number -> lines.add("  Event " + number + " was acknowledged under two epochs."));
        verdict.lost().forEach(number -> lines.add("  Event " + number + " was lost."));
        verdict.faults().forEach(fault -> lines.add("  " + fault));
        lines.add(verdict.good() ? "Nothing was lost, and nothing was acknowledged twice." : "The run is not good.");
        return lines;
    }

    private static void row(List<String> lines, String name, long figure) {
        lines.add(String.format(Locale.ROOT, "  %-46s %d", name, figure));
    }

    private static String line(HandOver handOver) {
        return String.format(
                Locale.ROOT,
                "  %-20s %-12s %-12s %14s %18s",
                cause(handOver),
                name(handOver.from()),
                name(handOver.to()),
                seconds(handOver.untilLed()),
                seconds(handOver.untilWorked()));
    }

    private static String cause(HandOver handOver) {
        if (handOver.cause() == null) {
            return "by itself";
        }
        return switch (handOver.cause()) {
            case KILLED -> "killed (SIGKILL)";
            case FROZEN -> "frozen (SIGSTOP)";
            default -> "stepped down";
        };
    }

    private static String name(Term term) {
        return term.replica() + ", epoch " + term.epoch();
    }

    private static String seconds(@Nullable Duration duration) {
        return duration == null ? "-" : String.format(Locale.ROOT, "%.2f s", duration.toMillis() / 1000.0);
    }
}
