package io.leasehold.sample.demo;

import io.leasehold.sample.demo.RunHistory.Entry;
import io.leasehold.sample.history.HistoryEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * From one term to the next.
 *
 * @param cause what the demo did to the leader before; null where it did nothing
 * @param from the term that ended
 * @param to the term that began
 * @param untilLed from the disturbance to the new term; without one, from the surrender. Null where neither is known
 * @param untilWorked from there to the first event that the new term acknowledged; null where there is none
 */
record HandOver(
        @Nullable HistoryEvent cause,
        Term from,
        Term to,
        @Nullable Duration untilLed,
        @Nullable Duration untilWorked) {

    private static final Set<HistoryEvent> DISTURBANCES =
            EnumSet.of(HistoryEvent.KILLED, HistoryEvent.FROZEN, HistoryEvent.STEPPED_DOWN);

    /** All hand-overs of a run. */
    static List<HandOver> in(RunHistory run) {
        List<Term> terms = run.terms();
        List<HandOver> handOvers = new ArrayList<>();
        for (int i = 1; i < terms.size(); i++) {
            handOvers.add(between(terms.get(i - 1), terms.get(i), run));
        }
        return List.copyOf(handOvers);
    }

    private static HandOver between(Term from, Term to, RunHistory run) {
        Entry disturbance = run.entries().stream()
                .filter(entry -> DISTURBANCES.contains(entry.event()))
                .filter(entry -> entry.line().detail().equals(from.replica()))
                .filter(entry -> entry.line().at().isAfter(from.acquiredAt()))
                .filter(entry -> entry.line().at().isBefore(to.acquiredAt()))
                .reduce((earlier, later) -> later)
                .orElse(null);
        Instant begin =
                disturbance == null ? from.surrenderedAt() : disturbance.line().at();
        return new HandOver(
                disturbance == null ? null : disturbance.event(),
                from,
                to,
                since(begin, to.acquiredAt()),
                since(begin, to.workedAt()));
    }

    private static @Nullable Duration since(@Nullable Instant begin, @Nullable Instant end) {
        return begin == null || end == null ? null : Duration.between(begin, end);
    }
}
