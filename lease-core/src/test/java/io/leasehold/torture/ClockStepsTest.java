package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One host's wall clock is set and drifts, while the lease is renewed by it and by another. */
@Tag("processes")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ClockStepsTest {
    private static final List<Duration> STEPS = List.of(
            Duration.ofHours(-1), Duration.ofHours(1), Duration.ofMinutes(3), Duration.ofMinutes(-3), Duration.ZERO);
    private static final Timing TIMING = Timing.ofMillis(600);
    private static final long MOST_INEXACT_MS = 5000;

    @TempDir
    Path directory;

    private ShiftedClock clock;
    private Scenario scenario;
    private Replica shifted;
    private Replica right;

    @BeforeEach
    void begin() throws Exception {
        ShiftedClock.require();
        scenario = new Scenario("clock-steps", TIMING);
        clock = new ShiftedClock(directory.resolve("clock"));
        Host host = Host.of("right", directory.resolve("lease"), directory.resolve("state"));
        right = scenario.replicas().start(host);
        shifted = scenario.replicas()
                .start(Host.of("shifted", host.lease(), host.state()).withEnvironment(clock.environment()));
    }

    @AfterEach
    void end() throws Exception {
        if (scenario != null) {
            scenario.close();
        }
    }

    @Test
    void noStepAndNoDriftOfAWallClockMakesTwoHolders() throws Exception {
        Duration before = Duration.ZERO;
        for (Duration step : STEPS) {
            scenario.beginRound();
            scenario.makeLead(right);
            step(step);
            pass(1.5);
            step(before);
            scenario.makeLead(shifted);
            long sinceNs = System.nanoTime();
            step(step);
            if (step.compareTo(before) > 0) {
                scenario.replicas().awaitOver(shifted, sinceNs);
            }
            pass(1.5);
            before = step;
        }
        for (int millisAStep : List.of(20, -20)) {
            scenario.beginRound();
            scenario.makeLead(shifted);
            drift(millisAStep);
            scenario.makeLead(right);
            drift(millisAStep);
        }
        assertThat(scenario.judge().handOvers()).isPositive();
    }

    /** Sets the clock, and makes sure that it is set, and the monotonic one is not. */
    private void step(Duration ahead) throws Exception {
        clock.shift(ahead);
        long beginNs = System.nanoTime();
        shifted.tell(ReplicaProgram.CLOCK);
        HistoryLine told = scenario.replicas().awaitLine(shifted, HistoryEvent.CLOCK, beginNs);
        assertThat(told.number() - System.currentTimeMillis()).isCloseTo(ahead.toMillis(), within(MOST_INEXACT_MS));
        assertThat(told.fromNs()).isBetween(beginNs, System.nanoTime());
    }

    private void drift(int millisAStep) throws Exception {
        for (int i = 1; i <= 30; i++) {
            clock.shift(Duration.ofMillis((long) i * millisAStep));
            pass(0.1);
        }
    }

    private static void pass(double ttls) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(TIMING.ttls(ttls).toNanos());
    }
}
