package io.leasehold;

import io.leasehold.SimulatedTasks.Task;
import io.leasehold.SimulationFigures.Happening;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The true time of a history, which no process can read, and the tasks that wait for it. */
final class SimulationTime {
    private final Simulation simulation;
    private final Map<Task, Long> stalled = new HashMap<>();
    private long nowNs;

    SimulationTime(Simulation simulation) {
        this.simulation = simulation;
    }

    long nowNs() {
        return nowNs;
    }

    /** Time goes on: a little, to the next thing that is due, or to about the end of a term. */
    void advance(boolean nothingReady) {
        long ttlNs = simulation.scenario().settings.get(0).ttl().toNanos();
        int drawn = random().nextInt(40);
        if (drawn < 2) {
            pass(Math.max(0, endOfATermInNs() + random().nextLong(-30_000_000, 30_000_000)));
        } else if (drawn < 3) {
            pass(random().nextLong(2 * ttlNs));
        } else if (drawn < 8) {
            pass(random().nextLong(ttlNs / 10));
        } else if (drawn < 20 || !nothingReady) {
            pass(random().nextLong(ttlNs / 100));
        } else {
            pass(Math.max(1, nextDueInNs()));
        }
    }

    /** True time until something is due. */
    long nextDueInNs() {
        long next = longestTtlNs();
        for (SimulatedProcess process : simulation.processes()) {
            SimulatedHost host = process.host();
            if (process.isDead()) {
                next = Math.min(next, host.restartAtNs() - nowNs);
            } else if (host.isFrozen()) {
                next = Math.min(next, host.frozenUntilNs() - nowNs);
            } else {
                for (SimulatedContender contender : process.contenders()) {
                    next = Math.min(next, contender.dueInNs());
                }
            }
        }
        for (long until : stalled.values()) {
            next = until > nowNs ? Math.min(next, until - nowNs) : next;
        }
        // A drifting clock may be slower than true time.
        return next + next / 1000;
    }

    private long endOfATermInNs() {
        List<Lease> leases = new ArrayList<>();
        for (SimulatedProcess process : simulation.processes()) {
            for (SimulatedContender contender : process.contenders()) {
                Lease lease = contender.election().lease();
                if (lease != null) {
                    leases.add(lease);
                }
            }
        }
        return leases.isEmpty()
                ? 0
                : leases.get(random().nextInt(leases.size())).untilDeadlineNs();
    }

    void pass(long ns) {
        simulation.trace("%s ms pass", ns / 1_000_000);
        nowNs += ns;
        for (SimulatedProcess process : simulation.processes()) {
            process.clock().advance(ns);
            process.host().timeIs(nowNs);
        }
    }

    /** The task that runs is paused for this long. */
    void stall(long ns) {
        Task task = simulation.tasks().current();
        if (task != null) {
            stall(task, ns);
            simulation.tasks().yieldNow();
        }
    }

    /** A task is paused for this long. */
    void stall(Task task, long ns) {
        stalled.put(task, nowNs + ns);
        simulation.figures().count(Happening.TASK_STALLED);
        simulation.trace("%s is stalled for %s ms", task, ns / 1_000_000);
    }

    boolean isStalled(Task task) {
        return stalled.getOrDefault(task, 0L) > nowNs;
    }

    void endStalls() {
        stalled.clear();
    }

    /** The longest ttl of all processes. */
    long longestTtlNs() {
        return simulation.scenario().settings.stream()
                .mapToLong(s -> s.ttl().toNanos())
                .max()
                .orElseThrow();
    }

    private SplittableRandom random() {
        return simulation.random();
    }
}
