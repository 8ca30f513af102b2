package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.LeaseCounts.RenewOutcome;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.SimulationFigures.Happening;
import io.leasehold.kubernetes.MockApiServer;
import io.leasehold.redis.RedisServer;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random histories of the shipped election with the shipped file stores, and with what all stores on servers share. In a build they are always the same. The profile {@code soak}
 * begins somewhere else each time, uses every processor, and goes on for longer. System properties:
 *
 * <ul>
 *   <li>{@code leasehold.simulation.seed} repeats one history
 *   <li>{@code leasehold.simulation.from} is the first seed
 *   <li>{@code leasehold.simulation.runs} is the number of histories
 *   <li>{@code leasehold.simulation.minutes} is the time to go on for, where their number is not set
 *   <li>{@code leasehold.simulation.trace} is how many events before a violation are told
 * </ul>
 */
@ExtendWith(QuietLog.class)
class SimulationTest {
    private static final Set<Happening> OF_SERVERS = EnumSet.of(Happening.FAIL_OVER);
    private static final Set<Happening> OF_FILES = EnumSet.of(
            Happening.NO_SPACE_LEFT,
            Happening.WRITE_TORN,
            Happening.STALE_LISTING,
            Happening.REMOVED,
            Happening.UNMOUNTED,
            Happening.POWER_FAILURE);
    private static final Set<Happening> OF_STORES = EnumSet.of(
            Happening.REPLY_LOST,
            Happening.WRITE_LANDED_LATE,
            Happening.EMPTIED,
            Happening.RESTORED,
            Happening.GARBLED,
            Happening.FAIL_OVER);
    private static final long RUNS = 10_000;
    private static final long RUNS_WITH_SERVER = 5_000;
    private static final long RUNS_WITH_DATABASE = 1_000;
    private static final long RUNS_WITH_REDIS = 200;
    private static final long RUNS_WITH_KUBERNETES = 25;
    private static final long SOAK_RUNS = 5_000_000;
    private static final long SEEDS = 1_000_000_000_000L;

    /** What a history is about happens in each thousand of them. */
    private static final long ENOUGH = 1_000;

    /** What can happen to a real server happens in each so many. */
    private static final long ENOUGH_WITH_STORES = 200;

    @Test
    void everyRuleHoldsInRandomHistoriesWithFiles() throws InterruptedException, ExecutionException {
        SimulationFigures figures = run("Files", null, RUNS);
        if (figures.histories >= ENOUGH) {
            requireThatAllHappened(figures, OF_SERVERS, kind -> !kind.failsOver());
            assertThat(figures.of(RenewOutcome.UNVERIFIED)).isPositive();
        }
    }

    @Test
    void everyRuleHoldsInRandomHistoriesWithAServer() throws InterruptedException, ExecutionException {
        SimulationFigures figures = run("AServer", ServerModel::new, RUNS_WITH_SERVER);
        if (figures.histories >= ENOUGH) {
            requireThatAllHappened(figures, OF_FILES, SimulationKind::isOfServers);
            assertThat(figures.excusedOf(Rule.COMMITS_ARE_KEPT)).isPositive();
        }
    }

    /** The conditions of the server model and of the shipped stores are the same: with H2, which runs in this process. */
    @Test
    void everyRuleHoldsInRandomHistoriesWithADatabase() throws InterruptedException, ExecutionException {
        requireThatStoresWereTried(run("ADatabase", DatabaseRecords::new, RUNS_WITH_DATABASE));
    }

    @Test
    @Tag("servers")
    void everyRuleHoldsInRandomHistoriesWithRedis() throws InterruptedException, ExecutionException {
        RedisServer server = RedisServer.shared();
        requireThatStoresWereTried(run("Redis", () -> new RedisRecords(server), RUNS_WITH_REDIS));
    }

    @Test
    @Tag("servers")
    void everyRuleHoldsInRandomHistoriesWithKubernetes() throws Exception {
        try (MockApiServer api = new MockApiServer()) {
            requireThatStoresWereTried(run("Kubernetes", () -> new KubernetesRecords(api), RUNS_WITH_KUBERNETES));
        }
    }

    private static void requireThatStoresWereTried(SimulationFigures figures) {
        if (figures.histories > 1) {
            assertThat(figures.terms).isGreaterThan(figures.histories);
        }
        if (figures.histories >= ENOUGH_WITH_STORES) {
            for (Happening happening : OF_STORES) {
                assertThat(figures.of(happening)).as("%s", happening).isPositive();
            }
        }
    }

    private static SimulationFigures run(String what, @Nullable Supplier<ServerRecords> records, long usualRuns)
            throws InterruptedException, ExecutionException {
        boolean soak = Boolean.getBoolean("leasehold.simulation.soak");
        Long only = Long.getLong("leasehold.simulation.seed");
        Long minutes = Long.getLong("leasehold.simulation.minutes");
        long first = only != null
                ? only
                : Long.getLong(
                        "leasehold.simulation.from",
                        soak ? RandomGenerator.getDefault().nextLong(SEEDS) : 1);
        long usual = minutes != null ? Long.MAX_VALUE : soak ? SOAK_RUNS : usualRuns;
        long runs = only != null ? 1 : Long.getLong("leasehold.simulation.runs", usual);
        SimulationRuns histories = new SimulationRuns(
                what, records, first, runs, minutes != null ? minutes : TimeUnit.DAYS.toMinutes(365));
        System.out.println("Simulation, seeds from " + first + ", with " + what);
        String violation = histories.run(soak ? Runtime.getRuntime().availableProcessors() : 1);
        if (violation != null) {
            fail(violation);
        }
        return histories.figures();
    }

    private static void requireThatAllHappened(
            SimulationFigures figures, Set<Happening> impossible, Predicate<SimulationKind> kinds) {
        for (Happening happening : EnumSet.complementOf(EnumSet.copyOf(impossible))) {
            assertThat(figures.of(happening)).as("%s", happening).isPositive();
        }
        for (SimulationKind kind : SimulationKind.values()) {
            assertThat(figures.of(kind) > 0).as("%s", kind).isEqualTo(kinds.test(kind));
        }
        for (int processes = 2; processes <= 5; processes++) {
            assertThat(figures.ofSize(processes)).as("%s processes", processes).isPositive();
        }
        for (SurrenderReason reason : SurrenderReason.values()) {
            // The guard ends a term before another can seal a higher epoch, unless its clocks stand still.
            if (reason != SurrenderReason.FENCED) {
                assertThat(figures.of(reason)).as("%s", reason).isPositive();
            }
        }
        assertThat(figures.of(CommitOutcome.FENCED)).isPositive();
        assertThat(figures.releases).isPositive();
        assertThat(figures.excusedOf(Rule.ONE_HOLDER)).isPositive();
        assertThat(figures.takeovers).isGreaterThan(figures.histories / 4);
        assertThat(figures.hotStandbys).isGreaterThan(figures.histories * 9 / 10);
        assertThat(figures.tornForGood).isLessThan(figures.histories / 100);
    }
}
