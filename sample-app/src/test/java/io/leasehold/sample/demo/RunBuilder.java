package io.leasehold.sample.demo;

import io.leasehold.sample.demo.RunHistory.Entry;
import io.leasehold.sample.history.HistoryEvent;
import io.leasehold.sample.history.HistoryLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Writes the history of a run in which one tenth of a second passes from line to line. */
final class RunBuilder {
    private static final int STEP_MILLIS = 100;

    private final List<Entry> entries = new ArrayList<>();
    private Instant now = Instant.parse("2026-12-01T02:00:00Z");

    RunBuilder published(long first, long last) {
        for (long number = first; number <= last; number++) {
            add("publisher", HistoryEvent.PUBLISHED, 0, number, HistoryLine.NO_DETAIL);
        }
        return this;
    }

    RunBuilder acquired(String process, long epoch, long checkpoint) {
        add(process, HistoryEvent.ACQUIRED, epoch, 0, HistoryLine.NO_DETAIL);
        return add(process, HistoryEvent.RESUMED, epoch, checkpoint, HistoryLine.NO_DETAIL);
    }

    RunBuilder worked(String process, long epoch, long number) {
        return add(process, HistoryEvent.WORKED, epoch, number, HistoryLine.NO_DETAIL);
    }

    RunBuilder acknowledged(String process, long epoch, long first, long last) {
        for (long number = first; number <= last; number++) {
            worked(process, epoch, number);
            add(process, HistoryEvent.ACKNOWLEDGED, epoch, number, HistoryLine.NO_DETAIL);
        }
        return this;
    }

    RunBuilder refused(String process, long epoch, long number, String by) {
        worked(process, epoch, number);
        return add(process, HistoryEvent.REFUSED, epoch, number, by);
    }

    RunBuilder surrendered(String process, long epoch) {
        return add(process, HistoryEvent.SURRENDERED, epoch, 0, "STEPPED_DOWN");
    }

    RunBuilder disturbed(HistoryEvent event, String replica) {
        return add("demo", event, 0, 0, replica);
    }

    RunBuilder add(String process, HistoryEvent event, long epoch, long number, String detail) {
        entries.add(new Entry(process, new HistoryLine(now, event, epoch, number, detail)));
        now = now.plusMillis(STEP_MILLIS);
        return this;
    }

    RunHistory build() {
        return new RunHistory(entries);
    }
}
