package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.leasehold.SimulationChecks.Rule;
import io.leasehold.SimulationChecks.Violation;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulation can fail: with one rule taken out it finds a violation that this rule prevents. */
class SimulationMutantsTest {
    private static final int MOST_RUNS = 3000;

    private final SimulatedTasks tasks = new SimulatedTasks();
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

    @ParameterizedTest
    @EnumSource
    void aRuleTakenOutIsMissed(SimulationMutants mutant) {
        Set<Rule> others = EnumSet.noneOf(Rule.class);
        for (long seed = 1; seed <= MOST_RUNS; seed++) {
            Violation violation = new Simulation(seed, mutant, tasks, new SimulationFigures()).run();
            if (violation != null && prevented(mutant).contains(violation.rule())) {
                System.out.println("Simulation, " + mutant + ": " + violation + " with seed " + seed);
                assertThat(violation.what()).isNotEmpty();
                return;
            }
            if (violation != null) {
                others.add(violation.rule());
            }
        }
        fail(mutant + " is not found in " + MOST_RUNS + " histories, only " + others);
    }

    private static Set<Rule> prevented(SimulationMutants mutant) {
        return switch (mutant) {
            case A_LINK_OVERWRITES -> EnumSet.of(Rule.AN_EPOCH_IS_HELD_ONCE, Rule.ONE_HOLDER);
            case NOTHING_IS_SYNCED -> EnumSet.of(Rule.AN_EPOCH_IS_HELD_ONCE, Rule.EPOCHS_RISE, Rule.COMMITS_ARE_KEPT);
            case UNREADABLE_IS_ABSENT -> EnumSet.of(Rule.COMMITS_ARE_KEPT, Rule.ONE_HOLDER);
            case A_FAILED_RENEW_COUNTS,
                    THE_PREDECESSOR_IS_NOT_READ_AGAIN,
                    A_STANDBY_WAITS_HALF_A_TTL,
                    THE_DEADLINE_NEVER_COMES,
                    THE_WALL_CLOCK_IS_NOT_ASKED,
                    CLOCKS_ARE_FURTHER_APART_THAN_ALLOWED -> EnumSet.of(Rule.ONE_HOLDER);
            case THERE_IS_NO_FLOOR -> EnumSet.of(Rule.AN_EPOCH_IS_HELD_ONCE, Rule.EPOCHS_RISE);
            case A_COMMIT_DOES_NOT_LOOK_AFTER_ITS_WRITE -> EnumSet.of(Rule.COMMITS_ARE_KEPT, Rule.A_SEAL_FENCES);
            case THE_STATE_IS_READ_BEFORE_IT_IS_SEALED -> EnumSet.of(Rule.COMMITS_ARE_KEPT);
            case A_LISTENER_RETURNS_BEFORE_ITS_WORK_HAS_STOPPED -> EnumSet.of(Rule.RELEASED_AFTER_THE_WORK);
        };
    }
}
