package io.leasehold;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last events of a history, made into text only where they are asked for. */
final class SimulationTrace {
    private record Event(long atNs, String what, List<@Nullable Object> arguments) {}

    private static final int EVENTS_KEPT = Integer.getInteger("leasehold.simulation.trace", 60);

    private final SimulationTime time;
    private final Deque<Event> events = new ArrayDeque<>();

    SimulationTrace(SimulationTime time) {
        this.time = time;
    }

    void add(String what, @Nullable Object... arguments) {
        if (events.size() == EVENTS_KEPT) {
            events.removeFirst();
        }
        events.addLast(new Event(time.nowNs(), what, Arrays.asList(arguments)));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Event event : events) {
            text.append("\n  ")
                    .append(event.atNs / 1_000_000)
                    .append(" ms  ")
                    .append(String.format(event.what, event.arguments.toArray()));
        }
        return text.toString();
    }
}
