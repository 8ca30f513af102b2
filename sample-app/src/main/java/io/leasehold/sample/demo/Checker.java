package io.leasehold.sample.demo;

import io.leasehold.sample.demo.RunHistory.Entry;
import io.leasehold.sample.history.HistoryEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Judges a run by nothing but the histories and the final checkpoint.
 *
 * <p>Times are not compared between processes to find faults, except for the order in which terms began: a process may be
 * frozen between what it did and the note of it. Epochs and numbers cannot be late.
 */
final class Checker {
    private final RunHistory run;
    private final long checkpoint;
    private final Set<Long> published;
    private final Set<Long> worked;
    private final Map<Long, Set<Long>> acknowledgedUnder = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private Checker(RunHistory run, long checkpoint) {
        this.run = run;
        this.checkpoint = checkpoint;
        this.published = numbers(HistoryEvent.PUBLISHED);
        this.worked = numbers(HistoryEvent.WORKED);
        for (Entry entry : run.of(HistoryEvent.ACKNOWLEDGED)) {
            acknowledgedUnder
                    .computeIfAbsent(entry.line().number(), number -> new HashSet<>())
                    .add(entry.line().epoch());
        }
    }

    /** Judges a run that has ended. */
    static Verdict check(RunHistory run, long finalCheckpoint) {
        return new Checker(run, finalCheckpoint).verdict();
    }

    private Verdict verdict() {
        checkPublished();
        checkEpochs();
        checkTerms();
        return new Verdict(
                published.size(),
                acknowledgedUnder.size(),
                published.stream()
                        .filter(number -> number <= checkpoint && !acknowledgedUnder.containsKey(number))
                        .count(),
                twice(),
                lost(),
                refused("fence"),
                refused("term-over"),
                run.of(HistoryEvent.UNKNOWN).size(),
                checkpoint,
                epochsAsTheyBegan(),
                HandOver.in(run),
                List.copyOf(faults));
    }

    private SortedSet<Long> twice() {
        return acknowledgedUnder.entrySet().stream()
                .filter(event -> event.getValue().size() > 1)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private SortedSet<Long> lost() {
        return published.stream()
                .filter(number -> !worked.contains(number) || number > checkpoint)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private long refused(String by) {
        return run.of(HistoryEvent.REFUSED).stream()
                .filter(entry -> entry.line().detail().equals(by))
                .count();
    }

    private void checkPublished() {
        if (published.isEmpty()) {
            faults.add("Nothing was published.");
        }
        LongStream.rangeClosed(1, published.size())
                .filter(number -> !published.contains(number))
                .findFirst()
                .ifPresent(number -> faults.add("Event " + number + " was left out by the publisher."));
        acknowledgedUnder.keySet().stream()
                .filter(number -> !published.contains(number) || !worked.contains(number))
                .forEach(number -> faults.add(
                        "Event " + number + " was acknowledged without having been published and worked on."));
        if (!worked.contains(checkpoint) && checkpoint != 0) {
            faults.add("The final checkpoint " + checkpoint + " is of an event that nobody worked on.");
        }
    }

    private List<Long> epochsAsTheyBegan() {
        return run.of(HistoryEvent.ACQUIRED).stream()
                .map(Entry::line)
                .sorted(Comparator.comparing(line -> line.at()))
                .map(line -> line.epoch())
                .toList();
    }

    private void checkEpochs() {
        List<Long> epochs = epochsAsTheyBegan();
        for (int i = 1; i < epochs.size(); i++) {
            if (epochs.get(i) <= epochs.get(i - 1)) {
                faults.add("Epoch " + epochs.get(i) + " began after epoch " + epochs.get(i - 1) + ".");
            }
        }
    }

    /** Each term has to begin at a checkpoint that holds all earlier acknowledgements, and step over nothing from there. */
    private void checkTerms() {
        Map<Long, List<Entry>> byEpoch = run.entries().stream()
                .filter(entry -> entry.line().epoch() > 0)
                .collect(Collectors.groupingBy(entry -> entry.line().epoch()));
        long acknowledgedBefore = 0;
        for (long epoch : new TreeSet<>(byEpoch.keySet())) {
            List<Entry> term = byEpoch.getOrDefault(epoch, List.of());
            acknowledgedBefore = Math.max(acknowledgedBefore, checkTerm(epoch, term, acknowledgedBefore));
        }
        if (checkpoint < acknowledgedBefore) {
            faults.add("The final checkpoint " + checkpoint + " is below event " + acknowledgedBefore
                    + ", which was acknowledged.");
        }
    }

    /** Checks one term and returns the last event that it acknowledged. */
    private long checkTerm(long epoch, List<Entry> term, long acknowledgedBefore) {
        if (term.stream().map(Entry::process).distinct().count() > 1) {
            faults.add("Epoch " + epoch + " was used by more than one process.");
        }
        long last = -1;
        for (Entry entry : term) {
            long number = entry.line().number();
            if (entry.event() == HistoryEvent.RESUMED) {
                checkResumed(epoch, number, acknowledgedBefore);
                last = number;
            } else if (entry.event() == HistoryEvent.ACKNOWLEDGED) {
                if (last < 0) {
                    faults.add("Epoch " + epoch + " acknowledged event " + number + " before it read the checkpoint.");
                } else if (number != last + 1) {
                    faults.add("Epoch " + epoch + " acknowledged event " + number + " after event " + last + ".");
                }
                last = number;
            }
        }
        return last;
    }

    private void checkResumed(long epoch, long from, long acknowledgedBefore) {
        if (from < acknowledgedBefore) {
            faults.add("Epoch " + epoch + " began at checkpoint " + from + " although event " + acknowledgedBefore
                    + " had been acknowledged.");
        }
        boolean workedBefore = from == 0
                || run.of(HistoryEvent.WORKED).stream()
                        .anyMatch(entry ->
                                entry.line().number() == from && entry.line().epoch() < epoch);
        if (!workedBefore) {
            faults.add("Epoch " + epoch + " began at checkpoint " + from + ", of an event that nobody had worked on.");
        }
    }

    private Set<Long> numbers(HistoryEvent event) {
        return run.of(event).stream().map(entry -> entry.line().number()).collect(Collectors.toSet());
    }
}
