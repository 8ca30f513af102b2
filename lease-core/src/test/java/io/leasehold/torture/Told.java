package io.leasehold.torture;

import java.util.ArrayList;
import java.util.List;

/** A history that a test tells. */
final class Told {
    private final String process;
    private final List<HistoryLine> lines = new ArrayList<>();

    Told(String process) {
        this.process = process;
    }

    Told at(long fromNs, long toNs, HistoryEvent event, long epoch, long number, String detail) {
        lines.add(new HistoryLine(fromNs, toNs, event, epoch, number, detail));
        return this;
    }

    Told acquired(long atNs, long epoch, Progress... found) {
        StringBuilder state = new StringBuilder();
        for (Progress progress : found) {
            state.append(Progress.word(progress.entries())).append(',');
        }
        String word = state.isEmpty() ? HistoryLine.NO_DETAIL : state.substring(0, state.length() - 1);
        return at(atNs, atNs, HistoryEvent.ACQUIRED, epoch, 0, word);
    }

    Told held(long fromNs, long toNs, long epoch) {
        return at(fromNs, toNs, HistoryEvent.HELD, epoch, 0, HistoryLine.NO_DETAIL);
    }

    Told over(long fromNs, long toNs, long epoch) {
        return at(fromNs, toNs, HistoryEvent.OVER, epoch, 0, HistoryLine.NO_DETAIL);
    }

    Told handled(long fromNs, long toNs, long epoch, long number) {
        return at(fromNs, toNs, HistoryEvent.HANDLED, epoch, number, HistoryLine.NO_DETAIL);
    }

    Told committing(long atNs, long epoch, long number) {
        return at(atNs, atNs, HistoryEvent.COMMITTING, epoch, number, HistoryLine.NO_DETAIL);
    }

    /** A commit with its begin. */
    Told acknowledged(long fromNs, long toNs, long epoch, long number) {
        return committing(fromNs, epoch, number)
                .at(fromNs, toNs, HistoryEvent.ACKNOWLEDGED, epoch, number, HistoryLine.NO_DETAIL);
    }

    Told surrendered(long atNs, long epoch) {
        return at(atNs, atNs, HistoryEvent.SURRENDERED, epoch, 0, "UNCONFIRMED");
    }

    Told stopped(long atNs, long epoch) {
        return at(atNs, atNs, HistoryEvent.STOPPED, epoch, 0, HistoryLine.NO_DETAIL);
    }

    Told drained(long atNs, long epoch, String outcome) {
        return at(atNs, atNs, HistoryEvent.DRAINED, epoch, 0, outcome);
    }

    Told closed(long atNs) {
        return at(atNs, atNs, HistoryEvent.CLOSED, 0, 0, HistoryLine.NO_DETAIL);
    }

    ProcessHistory history() {
        return new ProcessHistory(process, lines);
    }
}
