package io.leasehold;

import io.leasehold.SimulatedTasks.Task;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.SimulationChecks.Violation;
import io.leasehold.file.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One random history of two or three processes that share a lease and its state. It decides what happens next: a task goes
 * on to the next place where it could be descheduled, time goes on, or something goes wrong. Only the seed decides.
 */
final class Simulation {
    private static final Path PARENT = Path.of("/shared");

    private final SimulationSeams seams;
    private final SimulatedTasks tasks;
    private final SimulationFigures figures;
    private final SplittableRandom random;
    private final SimulationScenario scenario;
    private final SimulationChecks checks;
    private final SimulationEvents events;
    private final SimulatedDisk disk = new SimulatedDisk();
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final SimulationTime time = new SimulationTime(this);
    private final SimulationTrace trace = new SimulationTrace(time);
    private @Nullable Task last;
    private boolean calm;
    private int keys;

    Simulation(long seed, SimulationSeams seams, SimulatedTasks tasks, SimulationFigures figures) {
        this.seams = seams;
        this.tasks = tasks;
        this.figures = figures;
        this.random = new SplittableRandom(seed);
        this.scenario = new SimulationScenario(random);
        this.checks = new SimulationChecks(figures);
        this.events = new SimulationEvents(this);
    }

    /** Runs the history; returns the violation that ended it, if one did. */
    @Nullable
    Violation run() {
        try {
            disk.install(PARENT);
            if (scenario.directoryIsThere) {
                disk.install(leasePath());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        seams.prepare(disk);
        for (int i = 0; i < scenario.settings.size(); i++) {
            SimulatedClock clock = scenario.drawClock(this::clockIsRead);
            boot(i, new SimulatedHost(clock, scenario.clockHabits.get(i)));
        }
        for (int i = 0; i < scenario.events && checks.violation() == null; i++) {
            event();
        }
        if (checks.violation() == null) {
            becomeCalm();
        }
        figures.histories++;
        processes.forEach(process -> figures.add(process.counters().counts()));
        processes.forEach(process -> process.crash(0));
        return checks.violation();
    }

    /** Starts a process with a fresh memory. */
    void boot(int index, SimulatedHost host) {
        String name = String.valueOf((char) ('A' + index));
        SimulatedProcess process = new SimulatedProcess(this, name, scenario.settings.get(index), host);
        if (index < processes.size()) {
            figures.add(processes.get(index).counters().counts());
            processes.set(index, process);
        } else {
            processes.add(process);
        }
        process.start();
    }

    private void event() {
        figures.events++;
        for (int i = 0; i < processes.size(); i++) {
            SimulatedProcess process = processes.get(i);
            if (process.isDead() && process.host().restartAtNs() <= time.nowNs()) {
                trace("%s starts anew", process);
                boot(i, process.host());
            } else if (!process.host().isFrozen()) {
                process.beginSteps();
            }
        }
        List<Task> ready = ready();
        int drawn = random.nextInt(100);
        if (drawn < 76 && !ready.isEmpty()) {
            resume(ready);
        } else if (drawn < 86) {
            time.advance(ready.isEmpty());
        } else {
            events.happen();
        }
        look();
    }

    private void resume(List<Task> ready) {
        Task task = last != null && random.nextInt(4) > 0 && ready.contains(last)
                ? last
                : ready.get(random.nextInt(ready.size()));
        last = task;
        resume(task, task.isSlow() ? random.nextInt(3) : random.nextInt(16));
    }

    private void resume(Task task, int pausesPassed) {
        trace("> %s", task);
        tasks.run(task, pausesPassed);
        if (task.hasEnded()) {
            processes.forEach(process -> process.tasks().remove(task));
        } else if (!calm && random.nextInt(task.isSlow() ? 6 : 60) == 0) {
            long ttlNs = time.longestTtlNs();
            time.stall(task, random.nextLong(random.nextBoolean() ? ttlNs / 20 : 3 * ttlNs));
        }
    }

    private List<Task> ready() {
        List<Task> ready = new ArrayList<>();
        for (SimulatedProcess process : processes) {
            if (!process.host().isFrozen()) {
                for (Task task : process.tasks()) {
                    if (!time.isStalled(task)) {
                        ready.add(task);
                    }
                }
            }
        }
        return ready;
    }

    private void look() {
        Set<String> holders = new TreeSet<>();
        for (SimulatedProcess process : processes) {
            if (process.look()) {
                holders.add(process.toString());
            }
        }
        checks.oneHolder(holders);
    }

    /** All trouble ends; somebody has to lead soon, and to go on leading. */
    private void becomeCalm() {
        calm = true;
        time.endStalls();
        events.calm();
        trace("calm%s", "");
        long endNs = time.nowNs() + calmNs();
        while (time.nowNs() < endNs && checks.violation() == null) {
            processes.forEach(SimulatedProcess::beginSteps);
            List<Task> ready = ready();
            if (ready.isEmpty()) {
                time.pass(Math.min(Math.max(1, time.nextDueInNs()), endNs - time.nowNs()));
            } else {
                resume(ready.get(random.nextInt(ready.size())), Integer.MAX_VALUE);
            }
            look();
        }
        checks.lookBack();
        if (processes.stream().anyMatch(SimulatedProcess::look)) {
            return;
        }
        if (processes.stream().anyMatch(SimulatedProcess::findsATornFile)) {
            figures.tornForGood++;
            return;
        }
        checks.violated(Rule.SOMEBODY_LEADS, "nobody leads " + calmNs() / 1_000_000 + " ms after all trouble ended");
    }

    /** A ttl, one renew interval, and the longest that a process may rest or back off. */
    private long calmNs() {
        long renewNs = scenario.settings.stream()
                .mapToLong(s -> s.renewInterval().toNanos())
                .max()
                .orElseThrow();
        return 2 * time.longestTtlNs() + renewNs;
    }

    private void clockIsRead() {
        if (tasks.current() != null && random.nextInt(16) == 0) {
            tasks.pause();
        }
    }

    void trace(String what, @Nullable Object... arguments) {
        trace.add(what, arguments);
    }

    /** What to tell of a history that ended with a violation. */
    String describe() {
        return scenario + trace.toString();
    }

    Path leasePath() {
        return PARENT.resolve("lease");
    }

    Path statePath() {
        return scenario.stateIsBelow ? leasePath().resolve("state") : PARENT.resolve("state");
    }

    long highestSealed() {
        return disk.highestEpoch(statePath());
    }

    String nextKey() {
        return "n" + ++keys;
    }

    SimulationSeams seams() {
        return seams;
    }

    SimulatedTasks tasks() {
        return tasks;
    }

    SimulationFigures figures() {
        return figures;
    }

    SplittableRandom random() {
        return random;
    }

    SimulationScenario scenario() {
        return scenario;
    }

    SimulationChecks checks() {
        return checks;
    }

    SimulatedDisk disk() {
        return disk;
    }

    List<SimulatedProcess> processes() {
        return processes;
    }

    boolean isCalm() {
        return calm;
    }

    SimulationTime time() {
        return time;
    }
}
