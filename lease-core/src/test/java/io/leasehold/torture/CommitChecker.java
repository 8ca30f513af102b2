package io.leasehold.torture;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Judges what became of commits. */
final class CommitChecker {
    private final List<Term> terms;
    private final List<Violation> violations;

    private CommitChecker(List<Term> terms, List<Violation> violations) {
        this.terms = terms;
        this.violations = violations;
    }

    /** Adds what the terms, which are sorted by epoch, have violated. */
    static void check(List<Term> terms, List<Violation> violations) {
        CommitChecker checker = new CommitChecker(terms, violations);
        checker.checkStates();
        checker.checkFence();
    }

    private void violated(Rule rule, String text) {
        violations.add(new Violation(rule, text));
    }

    /** Goes through the terms by epoch; what was acknowledged to one has to be in the state that each later one finds. */
    private void checkStates() {
        Map<String, Progress> acknowledged = new TreeMap<>();
        Set<Progress> begun = new HashSet<>();
        for (Term term : terms) {
            term.found().ifPresent(found -> {
                acknowledged.forEach((key, progress) -> checkKept(term, key, progress, found.get(key)));
                checkWhole(term, found, begun);
            });
            for (HistoryLine line : term.lines()) {
                Progress progress = new Progress(term.epoch(), line.number());
                if (line.event() == HistoryEvent.COMMITTING) {
                    begun.add(progress);
                } else if (line.event() == HistoryEvent.ACKNOWLEDGED) {
                    progress.entries().keySet().forEach(key -> acknowledged.put(key, progress));
                }
            }
        }
    }

    private void checkKept(Term term, String key, Progress acknowledged, @Nullable Progress found) {
        if (found == null || found.compareTo(acknowledged) < 0) {
            violated(
                    Rule.KEPT_COMMITS,
                    term + " found " + key + "=" + found + ", and " + acknowledged + " had been acknowledged");
        }
    }

    private void checkWhole(Term term, Map<String, Progress> found, Set<Progress> begun) {
        found.forEach((key, progress) -> {
            if (!begun.contains(progress)) {
                violated(Rule.WHOLE_STATES, term + " found " + key + "=" + progress + ", which no lower epoch wrote");
            }
        });
        Progress count = found.get(Progress.COUNT);
        if (count == null ? !found.isEmpty() : !count.equals(found.get(count.slot()))) {
            violated(Rule.WHOLE_STATES, term + " found parts of several commits: " + found);
        }
    }

    private void checkFence() {
        for (Term term : terms) {
            for (Term higher : terms) {
                if (higher.epoch() <= term.epoch()) {
                    continue;
                }
                term.all(HistoryEvent.ACKNOWLEDGED)
                        .filter(commit -> commit.fromNs() - higher.acquiredNs() > 0)
                        .forEach(commit -> violated(
                                Rule.FENCED_COMMITS,
                                term + " had commit " + commit.number() + " acknowledged, which it began after "
                                        + higher + " had opened the state"));
            }
        }
    }
}
