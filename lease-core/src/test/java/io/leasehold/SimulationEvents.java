package io.leasehold;

import io.leasehold.SimulationScenario.ClockHabit;
import io.leasehold.SimulationScenario.Incident;
import io.leasehold.file.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What goes wrong, or is asked for, in a simulated history. */
final class SimulationEvents {
    private static final double[] RATES = {1, 1, 0.3, 0.1};

    private final Simulation simulation;
    private final SplittableRandom random;
    private final SimulationScenario scenario;
    private SimulatedDisk.@Nullable Backup backup;
    private boolean unmounted;
    private boolean incidentHappened;

    SimulationEvents(Simulation simulation) {
        this.simulation = simulation;
        this.random = simulation.random();
        this.scenario = simulation.scenario();
    }

    void happen() {
        List<SimulatedProcess> processes = simulation.processes();
        SimulatedProcess process = processes.get(random.nextInt(processes.size()));
        if (process.isDead()) {
            return;
        }
        int drawn = random.nextInt(100);
        if (drawn < 48) {
            (random.nextInt(4) == 0 ? process : holderOr(process)).beginCommit();
        } else if (drawn < 48 + 5 * scenario.trouble) {
            trouble(random.nextInt(3) == 0 ? process : holderOr(process));
        } else if (drawn < 74) {
            land(process.host());
        } else if (drawn < 77) {
            process.newest().wake();
        } else if (drawn < 87) {
            ask(process, drawn);
        } else if (drawn < 92) {
            disturbClocks(process);
        } else {
            incident();
        }
    }

    private SimulatedProcess holderOr(SimulatedProcess other) {
        return simulation.processes().stream()
                .filter(SimulatedProcess::look)
                .findFirst()
                .orElse(other);
    }

    private void trouble(SimulatedProcess process) {
        double rate = RATES[random.nextInt(RATES.length)];
        double reads = random.nextBoolean() ? rate : 0;
        double writes = random.nextInt(3) == 0 ? rate : 0;
        double links = random.nextInt(3) == 0 ? rate : 0;
        long ns = random.nextLong(3 * process.settings().ttl().toNanos());
        process.host().trouble(reads, writes, links, simulation.time().nowNs() + ns);
        simulation.trace(
                "%s has trouble for %s ms: reads %s, writes %s, links %s",
                process, ns / 1_000_000, reads, writes, links);
    }

    private void land(SimulatedHost host) {
        List<Runnable> underWay = host.underWay();
        if (!underWay.isEmpty()) {
            simulation.trace("an operation lands late%s", "");
            underWay.remove(random.nextInt(underWay.size())).run();
        }
    }

    private void ask(SimulatedProcess process, int drawn) {
        if (process.newest().election().isClosing()) {
            simulation.trace("%s is started again", process);
            process.start();
        } else if (drawn < 81) {
            simulation.trace("%s is asked to step down", process);
            process.newest().election().stepDown();
        } else if (drawn < 84) {
            simulation.trace("%s is closed", process);
            process.newest().election().close();
        } else {
            crash(process);
        }
    }

    private void crash(SimulatedProcess process) {
        simulation.trace("%s crashes", process);
        simulation.figures().crashes++;
        process.crash(random.nextLong(2 * process.settings().ttl().toNanos()));
    }

    private void disturbClocks(SimulatedProcess process) {
        SimulatedHost host = process.host();
        long ns = random.nextLong(3 * process.settings().ttl().toNanos());
        if (host.habit() == ClockHabit.WALL_CLOCK_IS_STEPPED) {
            long ms = scenario.drawSkewMs();
            simulation.trace("the wall clock of %s is stepped by %s ms", process, ms);
            host.stepWallTo(ms);
        } else if (!host.isFrozen()) {
            boolean suspended = host.habit() == ClockHabit.HOST_IS_SUSPENDED;
            simulation.trace("%s is %s for %s ms", process, suspended ? "suspended" : "frozen", ns / 1_000_000);
            host.freeze(simulation.time().nowNs() + ns, suspended);
        }
    }

    /** Not in the middle of a claim, and once in a history. */
    private void incident() {
        List<SimulatedProcess> processes = simulation.processes();
        if (unmounted) {
            mount();
            return;
        }
        if (incidentHappened
                || !simulation.disk().isThere(simulation.leasePath())
                || processes.stream().anyMatch(SimulatedProcess::mayBeClaiming)) {
            return;
        }
        try {
            incidentHappened = happen(scenario.incident);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (incidentHappened) {
            simulation.figures().incidents++;
            simulation.trace("%s", scenario.incident);
        }
    }

    private boolean happen(Incident incident) throws IOException {
        SimulatedDisk disk = simulation.disk();
        long highest = disk.highestEpoch(simulation.leasePath());
        switch (incident) {
            case NONE -> {
                return false;
            }
            case EMPTIED -> {
                disk.emptyEpochs(simulation.leasePath());
                if (random.nextBoolean()) {
                    crash(simulation.processes().get(0));
                }
            }
            case RESTORED -> {
                if (backup == null) {
                    backup = disk.backUp(simulation.leasePath());
                }
                if (backup.highestEpoch() == highest) {
                    return false;
                }
                disk.restore(simulation.leasePath(), backup);
            }
            case UNMOUNTED -> {
                if (simulation.highestSealed() == 0
                        || simulation.processes().stream()
                                .anyMatch(p -> !p.tasks().isEmpty())) {
                    return false;
                }
                disk.unmount(simulation.leasePath());
                unmounted = true;
            }
            case GARBLED -> disk.garble(simulation.leasePath(), random);
            case POWER_FAILURE -> {
                simulation.processes().forEach(this::crash);
                disk.powerFails(random);
            }
        }
        return true;
    }

    private void mount() {
        if (simulation.processes().stream().anyMatch(p -> !p.tasks().isEmpty())) {
            return;
        }
        simulation.trace("the directory is mounted again%s", "");
        try {
            simulation.disk().mount(simulation.leasePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        unmounted = false;
    }

    /** All trouble ends, and every process contends. */
    void calm() {
        List<SimulatedProcess> processes = simulation.processes();
        if (unmounted) {
            processes.forEach(this::crash);
            mount();
        }
        for (int i = 0; i < processes.size(); i++) {
            SimulatedProcess process = processes.get(i);
            SimulatedHost host = process.host();
            host.trouble(0, 0, 0, 0);
            host.freeze(0, false);
            host.underWay().clear();
            if (process.isDead()) {
                simulation.boot(i, host);
            } else if (process.newest().election().isClosing()) {
                process.start();
            }
        }
    }
}
