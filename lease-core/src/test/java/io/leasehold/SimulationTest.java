package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.LeaseCounts.RenewOutcome;
import io.leasehold.SimulationChecks.Violation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Random histories of the shipped election and file stores. {@code -Dleasehold.simulation.runs} sets their number, {@code
 * -Dleasehold.simulation.seed} repeats one.
 */
class SimulationTest {
    private static final int RUNS = 5000;

    private final SimulatedTasks tasks = new SimulatedTasks();
    private final SimulationFigures figures = new SimulationFigures();
    private final QuietLog log = new QuietLog();

    @BeforeEach
    void begin() {
        log.begin();
    }

    @AfterEach
    void end() {
        tasks.close();
        log.end();
    }

    @Test
    void everyRuleHoldsInRandomHistories() {
        Long only = Long.getLong("leasehold.simulation.seed");
        if (only != null) {
            run(only);
            return;
        }
        for (long seed = 1; seed <= Integer.getInteger("leasehold.simulation.runs", RUNS); seed++) {
            run(seed);
        }
        System.out.println("Simulation, seeds from 1: " + figures);
        assertThat(figures.takeovers).isGreaterThan(figures.histories / 4);
        assertThat(figures.releases).isPositive();
        assertThat(figures.of(CommitOutcome.FENCED)).isPositive();
        assertThat(figures.of(RenewOutcome.UNVERIFIED)).isPositive();
        assertThat(figures.tornForGood).isLessThan(figures.histories / 100);
        for (SurrenderReason reason : SurrenderReason.values()) {
            // The guard ends a term before another can seal a higher epoch.
            if (reason != SurrenderReason.FENCED) {
                assertThat(figures.of(reason)).as("%s", reason).isPositive();
            }
        }
    }

    private void run(long seed) {
        Simulation simulation = new Simulation(seed, SimulationSeams.NONE, tasks, figures);
        Violation violation = simulation.run();
        if (violation != null) {
            fail("seed " + seed + ": " + violation + "\n" + simulation.describe());
        }
    }
}
