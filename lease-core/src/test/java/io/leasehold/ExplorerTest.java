package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.leasehold.Exploration.Result;
import io.leasehold.SimulationChecks.Violation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The shipped election and file stores in all histories of small worlds, simplest first. {@code
 * -Dleasehold.explorer.seconds} sets the time for all worlds; {@code -Dleasehold.explorer.schedule} names a file with one
 * history to repeat, the world in its first line and an event in each of the others, as a violation prints it.
 */
@ExtendWith(QuietLog.class)
@Tag("proof")
class ExplorerTest {
    private static final int SECONDS = 180;
    /** In less time for each world, a search need not get anywhere. */
    private static final Duration LEAST = Duration.ofSeconds(5);

    private static final long MOST_STATES = 6_000_000;

    @Test
    void everyRuleHoldsInEveryHistory() throws IOException {
        String schedule = System.getProperty("leasehold.explorer.schedule");
        if (schedule != null) {
            repeat(Files.readAllLines(Path.of(schedule)));
            return;
        }
        List<ExplorerWorld> worlds = ExplorerWorlds.all();
        Duration each = Duration.ofSeconds(Integer.getInteger("leasehold.explorer.seconds", SECONDS))
                .dividedBy(worlds.size());
        long states = 0;
        int handedOver = 0;
        int begun = 0;
        for (ExplorerWorld world : worlds) {
            Result result = explore(world, each);
            states += result.states();
            handedOver += result.highestHeld() > 1 ? 1 : 0;
            begun += result.complete() >= 0 ? 1 : 0;
        }
        System.out.println("Explorer: " + states + " states in " + worlds.size() + " worlds");
        if (each.compareTo(LEAST) >= 0) {
            assertThat(handedOver).as("worlds with a takeover").isGreaterThan(worlds.size() / 2);
            assertThat(begun).as("worlds with every history without a pause").isGreaterThan(worlds.size() / 2);
        }
    }

    private static Result explore(ExplorerWorld world, Duration time) {
        Exploration exploration = new Exploration(world);
        Result result = exploration.search(time, MOST_STATES);
        Violation violation = result.violation();
        if (violation != null) {
            fail(violation + "\n" + world + "\n" + String.join("\n", result.schedule()));
        }
        String extent =
                result.exhaustive() ? "nothing left" : "complete up to " + result.complete() + " pauses and faults";
        System.out.println("Explorer, " + exploration + ", " + result.states() + " states of all together, " + extent);
        return result;
    }

    private static void repeat(List<String> lines) {
        List<String> schedule = new ArrayList<>(lines);
        Violation violation = new Exploration(ExplorerWorlds.named(schedule.remove(0))).replay(schedule);
        assertThat(violation).isNull();
    }
}
