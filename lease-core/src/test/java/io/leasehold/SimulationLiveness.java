package io.leasehold;

import io.leasehold.SimulatedTasks.Task;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.store.LeaseRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What has to happen once all trouble has ended. Two things are checked.
 *
 * <p>Somebody leads soon, and goes on to lead: within the longest ttl, one renew interval and one verify delay, by true time.
 * A standby may find an epoch one renew interval late, has to see it unchanged for the ttl that it names, and may try once
 * more. A process that rests after it stepped down, or backs off from a state that could not be opened, does so at the same
 * time, for a ttl at most, and not on top of it. A term that was draining when the trouble ended, or drains from its
 * beginning because it was claimed long before or its lease was closed meanwhile, does not count as led: where its work does
 * not stop it is renewed for a drain timeout more, and then runs out. Then the bound is that much longer.
 *
 * <p>Then the leader dies, and the others, which have been watching it, take over: within its ttl and a twentieth after the
 * beginning of its last confirmed write where they were told of that write, and a renew interval later where they had to
 * look for it. A standby whose own claim of a higher epoch has failed is not a hot one: that claim may still be there one
 * day, so it doubts what it sees, and waits for the longest ttl that it knows.
 */
final class SimulationLiveness {
    /** The clocks of this simulation are at most 0.05 % slow. */
    private static final double DRIFT = 1.001;

    private static final double TAKEOVER = 1.05;
    private static final long LONGEST_OPERATION_NS = 500_000;

    private final Simulation simulation;
    private @Nullable LeaseRecord lastConfirmed;
    private long lastConfirmedNs;
    private long untilNs;
    private long lastWithoutLeaderNs;
    private BooleanSupplier isEnough = () -> false;
    private boolean operationsTakeTime;

    SimulationLiveness(Simulation simulation) {
        this.simulation = simulation;
    }

    /** A write of the lease was confirmed; it had begun at some time. */
    void confirmed(LeaseRecord record, long begunNs) {
        lastConfirmed = record;
        lastConfirmedNs = begunNs;
    }

    /** Called before each operation on a file. */
    void operationTakesTime() {
        if (operationsTakeTime) {
            simulation.time().pass(simulation.random().nextLong(LONGEST_OPERATION_NS));
        }
    }

    void check() {
        simulation.becomeCalm();
        if (somebodyLeadsSoon() && simulation.checks().violation() == null) {
            hotStandbyTakesOver();
        }
        simulation.checks().lookBack();
    }

    private boolean somebodyLeadsSoon() {
        long calmNs = simulation.time().nowNs();
        long ttlNs = simulation.time().longestTtlNs();
        long renewNs = longest(LeaseSettings::renewInterval);
        long drainNs = simulation.processes().stream().anyMatch(SimulatedProcess::mayDrain)
                ? longest(LeaseSettings::drainTimeout)
                : 0;
        long boundNs = (long) (DRIFT * (ttlNs + renewNs + longest(LeaseSettings::verifyDelay) + drainNs));
        lastWithoutLeaderNs = calmNs;
        passUntil(boundNs + 2 * renewNs, () -> simulation.time().nowNs() - lastWithoutLeaderNs > 2 * renewNs);
        long gapNs = lastWithoutLeaderNs - calmNs;
        if (gapNs > boundNs && simulation.processes().stream().anyMatch(SimulatedProcess::findsATornFile)) {
            simulation.figures().tornForGood++;
            return false;
        }
        if (gapNs > boundNs) {
            simulation
                    .checks()
                    .violated(Rule.SOMEBODY_LEADS, "nobody leads " + ms(gapNs) + " ms after all trouble ended");
        }
        SimulationFigures figures = simulation.figures();
        figures.longestGapPercent = Math.max(figures.longestGapPercent, 100.0 * gapNs / (ttlNs + renewNs + drainNs));
        return true;
    }

    private void hotStandbyTakesOver() {
        operationsTakeTime = true;
        passUntil(simulation.random().nextLong(longest(LeaseSettings::renewInterval)), () -> false);
        SimulatedProcess leader = leader();
        LeaseRecord record = lastConfirmed;
        if (leader == null || record == null) {
            simulation.checks().violated(Rule.SOMEBODY_LEADS, "nobody leads any more, without any trouble");
            return;
        }
        simulation.trace("%s dies", leader);
        leader.crash(Duration.ofDays(1).toNanos());
        boolean told = simulation.scenario().changesAreTold;
        long ttlNs = simulation.processes().stream().anyMatch(p -> p.isHot(record.epoch()))
                ? record.ttl().toNanos()
                : simulation.time().longestTtlNs();
        long lookNs = told ? 0 : longest(LeaseSettings::renewInterval);
        long diedNs = lastConfirmedNs;
        long boundNs = (long) (TAKEOVER * (ttlNs + lookNs));
        passUntil(diedNs + boundNs - simulation.time().nowNs(), () -> true);
        long tookNs = simulation.time().nowNs() - diedNs;
        if (leader() == null) {
            simulation
                    .checks()
                    .violated(
                            Rule.A_HOT_STANDBY_TAKES_OVER,
                            "nobody has taken over " + ms(tookNs) + " ms after the last renew, ttl " + record.ttl());
        }
        simulation.figures().tookOver(told, 100.0 * tookNs / (ttlNs + lookNs));
    }

    private @Nullable SimulatedProcess leader() {
        return simulation.processes().stream()
                .filter(SimulatedProcess::isLeading)
                .findFirst()
                .orElse(null);
    }

    private void passUntil(long ns, BooleanSupplier enough) {
        untilNs = simulation.time().nowNs() + ns;
        isEnough = enough;
        simulation.tasks().runAll(this::next);
    }

    /** The next task to go on while all is calm. */
    private @Nullable Task next() {
        simulation.afterTask();
        SimulationTime time = simulation.time();
        while (time.nowNs() < untilNs && simulation.checks().violation() == null) {
            simulation.look();
            boolean led = leader() != null;
            if (!led) {
                lastWithoutLeaderNs = time.nowNs();
            }
            if (led && isEnough.getAsBoolean()) {
                return null;
            }
            simulation.processes().stream().filter(p -> !p.isDead()).forEach(SimulatedProcess::beginSteps);
            List<Task> ready = simulation.ready();
            if (!ready.isEmpty()) {
                return simulation.resuming(ready.get(simulation.random().nextInt(ready.size())), Integer.MAX_VALUE);
            }
            time.pass(Math.min(Math.max(1, time.nextDueInNs()), untilNs - time.nowNs()));
            if (!led) {
                lastWithoutLeaderNs = time.nowNs();
            }
        }
        return null;
    }

    private long longest(Function<LeaseSettings, Duration> duration) {
        return simulation.scenario().settings.stream()
                .mapToLong(settings -> duration.apply(settings).toNanos())
                .max()
                .orElseThrow();
    }

    private static long ms(long ns) {
        return ns / 1_000_000;
    }
}
