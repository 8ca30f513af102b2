package io.leasehold;

import io.leasehold.Exploration.Result;
import io.leasehold.Mutant.Stores;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.SimulationChecks.Violation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks for a violation in the code that it is loaded with. Called across class loaders, so that all that comes and goes are
 * types of the JDK.
 */
public final class MutantHunt {
    private static final long MOST_STATES = 6_000_000;

    private MutantHunt() {}

    /** Explores a world; returns the rule that is broken, what happened, and how; empty where nothing was found. */
    public static List<String> explore(String world, List<String> rules, Duration time) {
        Set<Rule> wanted = rules.stream().map(Rule::valueOf).collect(Collectors.toSet());
        Result result = new Exploration(ExplorerWorlds.named(world)).search(time, MOST_STATES, wanted);
        return found(result.violation(), result.schedule());
    }

    /** Lets a history of a world happen again; returns the rule that is broken at its end, or nothing. */
    public static String repeat(String world, List<String> schedule) {
        Violation violation = new Exploration(ExplorerWorlds.named(world)).replay(schedule);
        return violation == null ? "" : violation.rule().name();
    }

    /** Runs random histories, by seeds from 1, until one breaks a rule that is looked for. */
    public static List<String> simulate(List<String> rules, String stores, int runs) {
        Supplier<ServerRecords> records = Stores.valueOf(stores).records();
        try (SimulatedTasks tasks = new SimulatedTasks()) {
            for (long seed = 1; seed <= runs; seed++) {
                Violation violation = new Simulation(seed, records, tasks, new SimulationFigures()).run();
                if (violation != null && rules.contains(violation.rule().name())) {
                    return found(violation, List.of("seed " + seed));
                }
            }
        }
        return List.of();
    }

    private static List<String> found(@Nullable Violation violation, List<String> how) {
        if (violation == null) {
            return List.of();
        }
        List<String> found = new ArrayList<>(List.of(violation.rule().name(), violation.what()));
        found.addAll(how);
        return found;
    }
}
