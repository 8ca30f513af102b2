package io.leasehold;

import io.leasehold.SimulatedTasks.Task;
import io.leasehold.SimulationChecks.Violation;
import io.leasehold.SimulationFigures.Happening;
import io.leasehold.file.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One random history of two to five processes that share a lease and its state. It decides what happens next: a task goes
 * on to the next place where it could be descheduled, time goes on, or something goes wrong. Only the seed decides.
 */
final class Simulation {
    private static final Path PARENT = Path.of("/shared");

    private final SimulatedTasks tasks;
    private final SimulationFigures figures;
    private final SplittableRandom random;
    private final SimulationScenario scenario;
    private final SimulationChecks checks;
    private final SimulationEvents events;
    private final SimulatedDisk disk = new SimulatedDisk();
    private final SimulatedServer server;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final SimulationLiveness liveness = new SimulationLiveness(this);
    private final SimulationTime time = new SimulationTime(this);
    private final SimulationTrace trace = new SimulationTrace(time);
    private @Nullable Task last;
    private @Nullable Task resumed;
    private int eventsLeft;
    private boolean calm;
    private int keys;

    Simulation(long seed, @Nullable Supplier<ServerRecords> records, SimulatedTasks tasks, SimulationFigures figures) {
        this.tasks = tasks;
        this.figures = figures;
        this.random = new SplittableRandom(seed);
        this.scenario = new SimulationScenario(random, records != null);
        this.server = new SimulatedServer(records == null ? new ServerModel() : records.get());
        this.checks = new SimulationChecks(scenario.kind, figures);
        this.events = new SimulationEvents(this);
        this.eventsLeft = scenario.events;
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
        figures.begin(scenario);
        for (int i = 0; i < scenario.settings.size(); i++) {
            SimulatedClock clock = scenario.drawClock(this::clockIsRead);
            boot(i, new SimulatedHost(clock, scenario.clockHabits.get(i), disk));
        }
        tasks.runAll(this::next);
        if (checks.violation() == null) {
            liveness.check();
        }
        processes.forEach(process -> figures.add(process.counters().counts()));
        processes.forEach(process -> process.crash(0));
        server.close();
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

    /** The next task to go on; null at the end of the events, or of all. */
    private @Nullable Task next() {
        afterTask();
        while (eventsLeft > 0 && checks.violation() == null) {
            eventsLeft--;
            Task task = event();
            if (task != null) {
                return task;
            }
            look();
        }
        return null;
    }

    /** To be called by whoever chooses, before it does. */
    void afterTask() {
        Task task = resumed;
        if (task == null) {
            return;
        }
        resumed = null;
        if (task.hasEnded()) {
            processes.forEach(process -> process.tasks().remove(task));
        } else if (!calm && random.nextInt(task.isSlow() ? 6 : 60) == 0) {
            long ttlNs = time.longestTtlNs();
            time.stall(task, random.nextLong(random.nextBoolean() ? ttlNs / 20 : 3 * ttlNs));
        }
        look();
    }

    private @Nullable Task event() {
        figures.events++;
        for (int i = 0; i < processes.size(); i++) {
            SimulatedProcess process = processes.get(i);
            if (process.isDead() && process.host().restartAtNs() <= time.nowNs()) {
                trace("%s starts anew", process);
                figures.count(Happening.RESTART);
                boot(i, process.host());
            } else if (!process.host().isFrozen()) {
                process.beginSteps();
            }
        }
        List<Task> ready = ready();
        int drawn = random.nextInt(100);
        if (drawn < 76 && !ready.isEmpty()) {
            return chosen(ready);
        } else if (drawn < 86) {
            time.advance(ready.isEmpty());
        } else {
            events.happen();
        }
        return null;
    }

    private Task chosen(List<Task> ready) {
        Task task = last != null && random.nextInt(4) > 0 && ready.contains(last)
                ? last
                : ready.get(random.nextInt(ready.size()));
        last = task;
        return resuming(task, task.isSlow() ? random.nextInt(3) : random.nextInt(16));
    }

    Task resuming(Task task, int pausesPassed) {
        trace("> %s", task);
        resumed = task;
        task.passPauses(pausesPassed);
        return task;
    }

    List<Task> ready() {
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

    /** All checks that can be made at any time; returns whether anybody leads. */
    boolean look() {
        Set<String> holders = new TreeSet<>();
        for (SimulatedProcess process : processes) {
            if (process.look()) {
                holders.add(process.toString());
            }
        }
        checks.oneHolder(holders);
        return !holders.isEmpty();
    }

    /** The end of a process, which is started anew before long. */
    void crash(SimulatedProcess process) {
        trace("%s crashes", process);
        figures.count(Happening.CRASH);
        process.crash(random.nextLong(2 * process.settings().ttl().toNanos()));
    }

    /** Tells the processes that watch the lease of a file that was written there. Some notices get lost. */
    void changed(Path file) {
        if (!scenario.changesAreTold
                || !leasePath().equals(file.getParent())
                || !SimulatedDisk.isEpochFile(file)
                || (!calm && random.nextInt(4) == 0)) {
            return;
        }
        figures.count(Happening.CHANGE_TOLD);
        for (SimulatedProcess process : processes) {
            if (!process.isDead()) {
                process.newest().wake();
            }
        }
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
        return scenario.onServer ? server.highestSealed() : disk.highestEpoch(statePath());
    }

    String nextKey() {
        return "n" + ++keys;
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

    SimulatedServer server() {
        return server;
    }

    List<SimulatedProcess> processes() {
        return processes;
    }

    /** All trouble ends, and every process contends. */
    void becomeCalm() {
        calm = true;
        time.endStalls();
        events.calm();
        trace("calm%s", "");
    }

    boolean isCalm() {
        return calm;
    }

    SimulationLiveness liveness() {
        return liveness;
    }

    SimulationTime time() {
        return time;
    }
}
