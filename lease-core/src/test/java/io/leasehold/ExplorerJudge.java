package io.leasehold;

import io.leasehold.ExploredHistories.Step;
import io.leasehold.ExplorerChecks.Judged;
import io.leasehold.SimulationChecks.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Judges what processes do; what is remembered of a history for that has a number. */
final class ExplorerJudge {
    /** The checks that go on, and the first rule that was broken. */
    record Verdict(int checks, @Nullable Violation violation) {}

    private final List<ExplorerChecks> checks = new ArrayList<>();
    private final Map<ExplorerChecks, Integer> numbers = new HashMap<>();

    /** Nothing has happened. */
    int begin() {
        return number(ExplorerChecks.NONE);
    }

    /** A process goes from one state to another; so high is the highest sealed epoch. */
    Verdict after(int at, int process, ExploredView before, Step step, long sealed) {
        String name = ExplorerEvent.name(process);
        ExplorerChecks now = checks.get(at);
        Violation violation = null;
        for (ExploredEmission emission : step.emissions()) {
            Judged judged = now.after(name, process, emission, sealed);
            now = judged.checks();
            violation = violation == null ? judged.violation() : violation;
        }
        long held = step.next().view().heldEpoch();
        if (held != 0 && held != before.heldEpoch()) {
            Judged judged = now.held(name, before, held);
            now = judged.checks();
            violation = violation == null ? judged.violation() : violation;
        }
        return new Verdict(number(now), violation);
    }

    /** A process is gone. */
    int crashed(int at, int process) {
        return number(checks.get(at).crashed(process));
    }

    /** The highest epoch that was held in any history. */
    long highestHeld() {
        return checks.stream().mapToLong(ExplorerChecks::highestHeld).max().orElse(0);
    }

    private int number(ExplorerChecks some) {
        Integer number = numbers.putIfAbsent(some, checks.size());
        if (number == null) {
            checks.add(some);
            return checks.size() - 1;
        }
        return number;
    }
}
