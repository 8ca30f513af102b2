package io.leasehold.sample.demo;

import io.leasehold.sample.history.HistoryEvent;
import io.leasehold.sample.history.HistoryLine;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What all processes of a run noted, each process's lines in the order in which it wrote them.
 *
 * @param entries the lines
 */
record RunHistory(List<Entry> entries) {

    /**
     * One line.
     *
     * @param process which process wrote it: its name, and for a replica a dash and the number of its start
     * @param line the line
     */
    record Entry(String process, HistoryLine line) {
        /** The name of the replica, which stays the same over its starts. */
        String replica() {
            int dash = process.indexOf('-');
            return dash < 0 ? process : process.substring(0, dash);
        }

        HistoryEvent event() {
            return line.event();
        }
    }

    RunHistory {
        entries = List.copyOf(entries);
    }

    /** The lines about one kind of event. */
    List<Entry> of(HistoryEvent event) {
        return entries.stream().filter(entry -> entry.event() == event).toList();
    }

    /** How many lines about one kind of event a replica wrote, over all its starts. */
    long count(HistoryEvent event, String replica) {
        return entries.stream()
                .filter(entry -> entry.event() == event && entry.replica().equals(replica))
                .count();
    }

    /** The event that a process has worked on and whose commit has no outcome yet; empty where there is none. */
    OptionalLong commitOnItsWay(String process) {
        return entries.stream()
                .filter(entry -> entry.process().equals(process))
                .reduce((earlier, later) -> later)
                .filter(entry -> entry.event() == HistoryEvent.WORKED)
                .map(entry -> OptionalLong.of(entry.line().number()))
                .orElse(OptionalLong.empty());
    }

    /** Whether a process has noted that it is up. */
    boolean started(String process) {
        return of(HistoryEvent.STARTED).stream()
                .anyMatch(entry -> entry.process().equals(process));
    }

    /** The terms in the order of their epochs. Where an epoch was acquired twice there are two with its number. */
    List<Term> terms() {
        TreeMap<Long, List<Term>> terms = new TreeMap<>();
        for (Entry entry : entries) {
            List<Term> sameEpoch = terms.computeIfAbsent(entry.line().epoch(), epoch -> new ArrayList<>());
            if (entry.event() == HistoryEvent.ACQUIRED) {
                sameEpoch.add(new Term(
                        entry.process(),
                        entry.replica(),
                        entry.line().epoch(),
                        entry.line().at(),
                        null,
                        null));
            }
            sameEpoch.replaceAll(term -> term.process().equals(entry.process()) ? term.with(entry.line()) : term);
        }
        return terms.values().stream().flatMap(List::stream).toList();
    }
}
