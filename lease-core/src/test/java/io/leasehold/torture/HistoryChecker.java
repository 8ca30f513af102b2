package io.leasehold.torture;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Judges the histories of all processes that contended for one lease. */
final class HistoryChecker {
    private final List<ProcessHistory> histories;
    private final List<Term> terms;
    private final List<Violation> violations = new ArrayList<>();

    private HistoryChecker(List<ProcessHistory> histories) {
        this.histories = histories;
        this.terms = terms(histories);
    }

    /** All terms, by epoch. */
    static List<Term> terms(List<ProcessHistory> histories) {
        return histories.stream()
                .flatMap(history -> history.terms().stream())
                .sorted(Comparator.comparingLong(Term::epoch))
                .toList();
    }

    /** Every violation of every rule; none for a history in which everything went well. */
    static List<Violation> check(List<ProcessHistory> histories) {
        HistoryChecker checker = new HistoryChecker(histories);
        checker.checkEpochs();
        checker.checkHolders();
        histories.forEach(checker::checkCalls);
        checker.checkNothingSkipped();
        CommitChecker.check(checker.terms, checker.violations);
        return checker.violations;
    }

    private void violated(Rule rule, String text) {
        violations.add(new Violation(rule, text));
    }

    /** A claim that was won counts even where the term was over before a listener could be told of it. */
    private void checkEpochs() {
        Map<Long, Set<String>> leaders = new TreeMap<>();
        for (ProcessHistory history : histories) {
            for (HistoryLine line : history.lines()) {
                boolean won =
                        line.event() == HistoryEvent.CLAIMED && line.detail().equals("ACQUIRED");
                if (won || line.event() == HistoryEvent.ACQUIRED) {
                    leaders.computeIfAbsent(line.epoch(), epoch -> new TreeSet<>())
                            .add(history.process());
                }
            }
        }
        leaders.forEach((epoch, processes) -> {
            if (processes.size() > 1) {
                violated(Rule.UNIQUE_EPOCHS, "epoch " + epoch + " was led by " + processes);
            }
        });
    }

    private void checkHolders() {
        for (int i = 0; i < terms.size(); i++) {
            Term lower = terms.get(i);
            checkRevival(lower);
            for (Term higher : terms.subList(i + 1, terms.size())) {
                if (lower.epoch() < higher.epoch()) {
                    checkOrder(lower, higher);
                }
            }
        }
    }

    private void checkOrder(Term lower, Term higher) {
        if (lower.wasHeldAfterBeginOf(higher)) {
            String how = higher.wasHeldAfterBeginOf(lower) ? " was held together with " : " was held only after ";
            violated(
                    Rule.ONE_HOLDER,
                    lower + how + higher + ": held at " + lower.heldUntilNs().getAsLong() + ", begun by "
                            + higher.begunByNs().getAsLong());
        }
        if (lower.wasReleased() && higher.begunByNs().isPresent()) {
            long begunNs = higher.begunByNs().getAsLong();
            lower.all(HistoryEvent.HANDLED)
                    .filter(work -> work.toNs() - begunNs > 0)
                    .forEach(work -> violated(
                            Rule.WORK_BEFORE_RELEASE,
                            lower + " was released, and handled event " + work.number() + " after the begin of "
                                    + higher));
        }
    }

    private void checkRevival(Term term) {
        boolean over = false;
        for (HistoryLine line : term.lines()) {
            if (line.event() == HistoryEvent.OVER) {
                over = true;
            } else if (over && line.event() == HistoryEvent.HELD && isAfterAnEnd(term, line)) {
                violated(Rule.NO_REVIVAL, term + " was over and is held again at " + line.fromNs());
                return;
            }
        }
    }

    /** Another thread's answer can be written down late; it is the time of its question that counts. */
    private static boolean isAfterAnEnd(Term term, HistoryLine held) {
        return term.all(HistoryEvent.OVER).anyMatch(over -> held.fromNs() - over.toNs() > 0);
    }

    private void checkCalls(ProcessHistory history) {
        long working = 0;
        long highest = 0;
        for (HistoryLine line : history.lines()) {
            switch (line.event()) {
                case ACQUIRED -> {
                    if (working != 0 || line.epoch() <= highest) {
                        violated(
                                Rule.PAIRED_CALLS,
                                history.process() + " acquires epoch " + line.epoch() + " after epoch " + highest
                                        + (working != 0 ? ", which it was not told to surrender" : ""));
                    }
                    working = line.epoch();
                    highest = line.epoch();
                }
                case SURRENDERED -> {
                    if (working != line.epoch()) {
                        violated(
                                Rule.PAIRED_CALLS,
                                history.process() + " surrenders epoch " + line.epoch() + " while it works for epoch "
                                        + working);
                    }
                }
                case STOPPED -> working = 0;
                default -> {}
            }
        }
        if (working != 0 && history.has(HistoryEvent.CLOSED)) {
            violated(Rule.PAIRED_CALLS, history.process() + " closed without a surrender of epoch " + working);
        }
    }

    /** A commit says that everything up to its number is done, by its own term or by those before. */
    private void checkNothingSkipped() {
        BitSet handled = new BitSet();
        long committed = 0;
        for (ProcessHistory history : histories) {
            for (HistoryLine line : history.lines()) {
                if (line.event() == HistoryEvent.HANDLED) {
                    handled.set(Math.toIntExact(line.number()));
                } else if (line.event() == HistoryEvent.ACKNOWLEDGED) {
                    committed = Math.max(committed, line.number());
                }
            }
        }
        int missing = handled.nextClearBit(1);
        if (missing <= committed) {
            violated(
                    Rule.NOTHING_SKIPPED,
                    "event " + missing + " was never handled, and " + committed + " are committed");
        }
    }
}
