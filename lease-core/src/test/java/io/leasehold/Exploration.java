package io.leasehold;

import io.leasehold.Explorer.Successor;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.SimulationChecks.Violation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The search through all states of a world, those first that the fewest pauses and faults lead to: what is found first is
 * the simplest, and a search that runs out of time has looked at everything up to some number of them.
 */
final class Exploration {
    /** How a state was reached with the fewest pauses and faults so far. */
    private record Arrival(
            int cost,
            @Nullable ExploredState from,
            @Nullable ExplorerEvent by) {}

    /**
     * What a search has found.
     *
     * @param states how many different states were reached
     * @param complete the number of pauses and faults up to which every history was looked at
     * @param exhaustive whether nothing at all was left
     * @param highestHeld the highest epoch that was held
     * @param violation the first violation; null where there is none
     * @param schedule how it comes about, one event a line
     */
    record Result(
            long states,
            int complete,
            boolean exhaustive,
            long highestHeld,
            @Nullable Violation violation,
            List<String> schedule) {}

    private final ExplorerWorld world;
    private final Explorer explorer;
    private final Map<ExploredState, Arrival> reached = new HashMap<>();
    private final List<Deque<ExploredState>> waiting = new ArrayList<>();

    Exploration(ExplorerWorld world) {
        this.world = world;
        this.explorer = new Explorer(world);
    }

    /** Searches until everything was looked at, something is found, or the time or the memory for it is used up. */
    Result search(Duration time, long mostStates) {
        return search(time, mostStates, EnumSet.allOf(Rule.class));
    }

    /** The same, for violations of some rules only; after others the history just goes on. */
    Result search(Duration time, long mostStates, Set<Rule> rules) {
        long endNs = System.nanoTime() + time.toNanos();
        wait(0).add(begin());
        for (int cost = 0; cost < waiting.size(); cost++) {
            Deque<ExploredState> now = waiting.get(cost);
            while (!now.isEmpty()) {
                if (System.nanoTime() - endNs > 0 || reached.size() >= mostStates) {
                    return result(cost - 1, false, null, List.of());
                }
                ExploredState at = now.removeLast();
                if (costOf(at) < cost) {
                    continue;
                }
                for (Successor next : explorer.successors(at)) {
                    if (next.violation() != null
                            && rules.contains(next.violation().rule())) {
                        List<String> schedule = schedule(at);
                        schedule.add(explorer.describe(at, next.event()));
                        return result(cost - 1, false, next.violation(), schedule);
                    }
                    if (costOf(next.state()) > cost + next.cost()) {
                        reached.put(next.state(), new Arrival(cost + next.cost(), at, next.event()));
                        wait(cost + next.cost()).addLast(next.state());
                    }
                }
            }
        }
        return result(waiting.size() - 1, true, null, List.of());
    }

    private ExploredState begin() {
        ExploredState[] at = {explorer.begin()};
        reached.put(at[0], new Arrival(0, null, null));
        ExplorerGuide guide = new ExplorerGuide(explorer, at[0], next -> {
            reached.put(next.state(), new Arrival(0, at[0], next.event()));
            at[0] = next.state();
        });
        world.guide.forEach(guide::follow);
        return at[0];
    }

    private int costOf(ExploredState state) {
        Arrival arrival = reached.get(state);
        return arrival == null ? Integer.MAX_VALUE : arrival.cost;
    }

    private Deque<ExploredState> wait(int cost) {
        while (waiting.size() <= cost) {
            waiting.add(new ArrayDeque<>());
        }
        return waiting.get(cost);
    }

    private Result result(int complete, boolean exhaustive, @Nullable Violation violation, List<String> schedule) {
        return new Result(reached.size(), complete, exhaustive, explorer.highestHeld(), violation, schedule);
    }

    private List<String> schedule(ExploredState to) {
        List<String> lines = new ArrayList<>();
        ExploredState at = to;
        for (Arrival arrival = reached.get(at); arrival != null && arrival.from != null && arrival.by != null; ) {
            lines.add(explorer.describe(arrival.from, arrival.by));
            at = arrival.from;
            arrival = reached.get(at);
        }
        Collections.reverse(lines);
        return lines;
    }

    /** Lets a schedule happen, line by line; returns the violation at its end, if there is one. */
    @Nullable
    Violation replay(List<String> schedule) {
        ExploredState at = explorer.begin();
        Violation last = null;
        for (String line : schedule) {
            ExploredState before = at;
            Successor next = explorer.successors(at).stream()
                    .filter(s -> explorer.describe(before, s.event()).equals(line))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("Not possible here: " + line));
            last = next.violation();
            at = next.state();
        }
        return last;
    }

    @Override
    public String toString() {
        return world + ": " + explorer.effort();
    }
}
