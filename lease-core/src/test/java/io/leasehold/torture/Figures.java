package io.leasehold.torture;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * What a scenario came to.
 *
 * @param processes how many were started
 * @param terms terms that began
 * @param handOvers how many of them followed that of another process
 * @param longestGapMs the longest time from when a term may have ended until the next had begun
 * @param unverified renews that were written and could not be confirmed
 * @param failed renews of which it is not known whether they were written
 * @param acknowledged commits that were acknowledged
 * @param fenced commits that were refused for a higher epoch
 * @param handled events that were handled, repeated ones counted
 */
record Figures(
        int processes,
        int terms,
        long handOvers,
        long longestGapMs,
        long unverified,
        long failed,
        long acknowledged,
        long fenced,
        long handled) {
    private static final String ROW = "%-34s %6s %9s %6s %9s %8s %10s %6s %12s %6s %8s %7s%n";

    static Figures of(List<ProcessHistory> histories) {
        List<Term> terms = HistoryChecker.terms(histories);
        long handOvers = 0;
        long longestGapNs = 0;
        for (int i = 1; i < terms.size(); i++) {
            Term before = terms.get(i - 1);
            Term term = terms.get(i);
            handOvers += before.process().equals(term.process()) ? 0 : 1;
            longestGapNs = Math.max(longestGapNs, gapNs(before.heldUntilNs(), term.begunByNs()));
        }
        return new Figures(
                histories.size(),
                terms.size(),
                handOvers,
                TimeUnit.NANOSECONDS.toMillis(longestGapNs),
                count(histories, HistoryEvent.RENEWED, "UNVERIFIED"),
                count(histories, HistoryEvent.RENEWED, "FAILED"),
                count(histories, HistoryEvent.ACKNOWLEDGED, HistoryLine.NO_DETAIL),
                count(histories, HistoryEvent.REFUSED, "FENCED"),
                count(histories, HistoryEvent.HANDLED, HistoryLine.NO_DETAIL));
    }

    private static long gapNs(OptionalLong untilNs, OptionalLong fromNs) {
        return untilNs.isPresent() && fromNs.isPresent() ? fromNs.getAsLong() - untilNs.getAsLong() : 0;
    }

    private static long count(List<ProcessHistory> histories, HistoryEvent event, String detail) {
        return histories.stream()
                .flatMap(history -> history.lines().stream())
                .filter(line -> line.event() == event && line.detail().equals(detail))
                .count();
    }

    static String head() {
        return String.format(
                Locale.ROOT,
                ROW,
                "scenario",
                "rounds",
                "processes",
                "terms",
                "hand-overs",
                "gap ms",
                "unverified",
                "failed",
                "acknowledged",
                "fenced",
                "events",
                "excused");
    }

    /** A row of the table, with the number of violations that the contract excuses. */
    String row(String scenario, int rounds, long excused) {
        return String.format(
                Locale.ROOT,
                ROW,
                scenario,
                rounds,
                processes,
                terms,
                handOvers,
                longestGapMs,
                unverified,
                failed,
                acknowledged,
                fenced,
                handled,
                excused);
    }
}
