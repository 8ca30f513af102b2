package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing goes wrong: one process steps down in the middle of its work, and the other begins as soon as it may. */
@Tag("processes")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class StepDownTest {
    private static final int ROUNDS = 12;
    private static final Timing TIMING = Timing.ofMillis(600);

    @TempDir
    Path directory;

    @Test
    void theNextTermBeginsWhenTheWorkOfTheOneBeforeHasStopped() throws Exception {
        try (Scenario scenario = new Scenario("step-downs", TIMING)) {
            Replicas replicas = scenario.replicas();
            for (String name : new String[] {"a", "b"}) {
                replicas.start(Host.of(name, directory.resolve("lease"), directory.resolve("state")));
            }
            for (int round = 0; round < ROUNDS; round++) {
                scenario.beginRound();
                long beginNs = System.nanoTime();
                Replica leader = replicas.awaitLeader();
                leader.tell(ReplicaProgram.STEP_DOWN);
                replicas.awaitLine(leader, HistoryEvent.DONE, beginNs);
                replicas.awaitCommit();
                TimeUnit.NANOSECONDS.sleep(TIMING.ttls(0.5).toNanos());
            }
            assertThat(scenario.judge().handOvers()).isPositive();
        }
    }
}
