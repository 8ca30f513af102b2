package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are stopped, continued, killed, told to step down and started again, at any moment. */
@Tag("processes")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class PausesAndKillsTest {
    private static final int ROUNDS = 200;
    private static final int ROUNDS_UNTIL_CALM = 20;
    private static final List<String> HOSTS = List.of("a", "b", "c");
    private static final Timing TIMING = Timing.ofMillis(400);

    @TempDir
    Path shared;

    private final Random random = Torture.random("pauses and kills");
    private final Map<Replica, Long> resumeAtNs = new HashMap<>();
    private final Map<Host, Long> startAtNs = new HashMap<>();

    @BeforeEach
    void requireSignals() throws Exception {
        Torture.requireSignals();
    }

    @Test
    void pausesKillsAndRestartsNeverMakeTwoHoldersOrLoseACommit() throws Exception {
        try (Scenario scenario = new Scenario("pauses-and-kills", TIMING)) {
            Replicas replicas = scenario.replicas();
            for (String name : HOSTS) {
                replicas.start(Host.of(name, shared.resolve("lease"), shared.resolve("state")));
            }
            replicas.awaitLeader();
            for (int round = 1; round <= Torture.rounds(ROUNDS); round++) {
                scenario.beginRound();
                trouble(replicas);
                letPass(replicas, TIMING.ttls(0.05 + 0.8 * random.nextDouble()));
                if (round % ROUNDS_UNTIL_CALM == 0) {
                    calm(replicas);
                }
            }
            calm(replicas);
            Figures figures = scenario.judge();
            assertThat(figures.handOvers()).isPositive();
            assertThat(figures.acknowledged()).isPositive();
        }
    }

    private void trouble(Replicas replicas) throws IOException, InterruptedException {
        List<Replica> alive = replicas.alive();
        if (alive.isEmpty()) {
            return;
        }
        Replica anyone = alive.get(random.nextInt(alive.size()));
        Replica victim = random.nextInt(100) < 70 ? replicas.leader().orElse(anyone) : anyone;
        int choice = random.nextInt(100);
        if (choice < 60) {
            victim.pause();
            resumeAtNs.put(victim, fromNow(TIMING.ttls(0.1 + 4.9 * random.nextDouble())));
        } else if (choice < 82) {
            victim.kill();
            resumeAtNs.remove(victim);
            startAtNs.put(victim.host(), fromNow(TIMING.ttls(random.nextDouble())));
        } else if (choice < 92) {
            victim.tell(ReplicaProgram.STEP_DOWN);
        } else if (!victim.isPaused()) {
            victim.finish();
            startAtNs.put(victim.host(), fromNow(TIMING.ttls(random.nextDouble())));
        }
    }

    private static long fromNow(Duration time) {
        return System.nanoTime() + time.toNanos();
    }

    /** Lets time pass, in which whoever is due is continued or started. */
    private void letPass(Replicas replicas, Duration time) throws IOException, InterruptedException {
        long untilNs = fromNow(time);
        do {
            for (Replica replica : List.copyOf(resumeAtNs.keySet())) {
                if (resumeAtNs.getOrDefault(replica, untilNs) - System.nanoTime() <= 0) {
                    replica.resume();
                    resumeAtNs.remove(replica);
                }
            }
            for (Host host : List.copyOf(startAtNs.keySet())) {
                if (startAtNs.getOrDefault(host, untilNs) - System.nanoTime() <= 0) {
                    replicas.start(host);
                    startAtNs.remove(host);
                }
            }
            TimeUnit.MILLISECONDS.sleep(5);
        } while (untilNs - System.nanoTime() > 0);
    }

    /** When the trouble ends, somebody leads. */
    private void calm(Replicas replicas) throws IOException, InterruptedException {
        while (!resumeAtNs.isEmpty() || !startAtNs.isEmpty()) {
            letPass(replicas, TIMING.ttls(0.1));
        }
        replicas.awaitLeader();
    }
}
