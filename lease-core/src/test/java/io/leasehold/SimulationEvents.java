package io.leasehold;

import io.leasehold.SimulatedClock.Mode;
import io.leasehold.SimulatedHost.Cause;
import io.leasehold.SimulatedHost.Trouble;
import io.leasehold.SimulationFigures.Happening;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** What goes wrong, or is asked for, in a simulated history. */
final class SimulationEvents {
    private static final double[] RATES = {1, 1, 0.3, 0.1};

    private final Simulation simulation;
    private final SplittableRandom random;
    private final SimulationScenario scenario;
    private final SimulationIncidents incidents;

    SimulationEvents(Simulation simulation) {
        this.simulation = simulation;
        this.random = simulation.random();
        this.scenario = simulation.scenario();
        this.incidents = new SimulationIncidents(simulation);
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
            simulation.figures().count(Happening.SUPERFLUOUS_NOTICE);
            process.newest().wake();
        } else if (drawn < 87) {
            ask(process, drawn);
        } else if (drawn < 92) {
            disturbClocks(process);
        } else {
            incidents.happen();
        }
    }

    private SimulatedProcess holderOr(SimulatedProcess other) {
        return simulation.processes().stream()
                .filter(SimulatedProcess::look)
                .findFirst()
                .orElse(other);
    }

    private void trouble(SimulatedProcess process) {
        long untilNs = simulation.time().nowNs()
                + random.nextLong(3 * process.settings().ttl().toNanos());
        if (scenario.kind.isStale() && random.nextBoolean()) {
            stale(process, untilNs);
            return;
        }
        double rate = RATES[random.nextInt(RATES.length)];
        double reads = random.nextBoolean() ? rate : 0;
        double writes = random.nextInt(3) == 0 ? rate : 0;
        double links = random.nextInt(3) == 0 ? rate : 0;
        switch (random.nextInt(4)) {
            case 0 -> trouble(process, new Trouble(Cause.STALE_FILE_HANDLE, reads, writes, links, untilNs));
            case 1 -> {
                // A full disk is full for all.
                Trouble full = new Trouble(Cause.NO_SPACE_LEFT, 0, rate, links, untilNs);
                simulation.processes().forEach(p -> trouble(p, full));
            }
            default -> trouble(process, new Trouble(Cause.INPUT_OUTPUT_ERROR, reads, writes, links, untilNs));
        }
    }

    private void trouble(SimulatedProcess process, Trouble trouble) {
        process.host().trouble(trouble);
        simulation.trace("%s has %s", process, trouble);
    }

    private void stale(SimulatedProcess process, long untilNs) {
        keep(process, simulation.leasePath());
        if (scenario.kind == SimulationKind.STALE_STORAGE) {
            keep(process, simulation.statePath());
        }
        process.host().stale(untilNs);
        simulation.trace("%s sees what was there until %s ms", process, untilNs / 1_000_000);
    }

    private void keep(SimulatedProcess process, Path directory) {
        if (simulation.disk().isThere(directory)) {
            try {
                process.host().view().keep(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void land(SimulatedHost host) {
        List<Runnable> underWay = host.underWay();
        if (!underWay.isEmpty()) {
            simulation.trace("an operation lands late%s", "");
            simulation.figures().count(Happening.WRITE_LANDED_LATE);
            underWay.remove(random.nextInt(underWay.size())).run();
        }
    }

    private void ask(SimulatedProcess process, int drawn) {
        if (process.newest().election().isClosing()) {
            simulation.trace("%s is started again", process);
            simulation.figures().count(Happening.START_AGAIN);
            process.start();
        } else if (drawn < 81) {
            simulation.trace("%s is asked to step down", process);
            simulation.figures().count(Happening.STEP_DOWN);
            process.newest().election().stepDown();
        } else if (drawn < 84) {
            simulation.trace("%s is closed", process);
            simulation.figures().count(Happening.CLOSE);
            process.newest().election().close();
        } else {
            simulation.crash(process);
        }
    }

    private void disturbClocks(SimulatedProcess process) {
        SimulatedHost host = process.host();
        if (random.nextInt(4) == 0) {
            int ppm = scenario.drawSlewPpm();
            simulation.trace("the clocks of %s are slewed by %s ppm", process, ppm);
            simulation.figures().count(Happening.CLOCKS_SLEWED);
            host.clock().slew(ppm);
            return;
        }
        switch (host.habit()) {
            case WALL_CLOCK_IS_STEPPED -> {
                long ms = scenario.drawSkewMs();
                simulation.trace("the wall clock of %s is stepped by %s ms", process, ms);
                simulation.figures().count(Happening.WALL_CLOCK_STEPPED);
                host.stepWallTo(ms);
            }
            case STEADY -> freeze(process, Mode.BOTH_GO_ON, Happening.HOST_STOPPED);
            case HOST_IS_SUSPENDED -> freeze(process, Mode.WALL_CLOCK_GOES_ON, Happening.HOST_SUSPENDED);
            case BOTH_STAND_STILL -> freeze(process, Mode.BOTH_STAND_STILL, Happening.BOTH_CLOCKS_STOOD_STILL);
        }
    }

    private void freeze(SimulatedProcess process, Mode mode, Happening happening) {
        SimulatedHost host = process.host();
        if (host.isFrozen()) {
            return;
        }
        long ns = random.nextLong(3 * process.settings().ttl().toNanos());
        simulation.trace("%s stands still for %s ms, %s", process, ns / 1_000_000, mode);
        simulation.figures().count(happening);
        host.freeze(simulation.time().nowNs() + ns, mode, random.nextBoolean());
    }

    /** All trouble ends, and every process contends. */
    void calm() {
        List<SimulatedProcess> processes = simulation.processes();
        incidents.calm();
        for (int i = 0; i < processes.size(); i++) {
            SimulatedProcess process = processes.get(i);
            SimulatedHost host = process.host();
            host.calm();
            if (process.isDead()) {
                simulation.boot(i, host);
            } else if (process.newest().election().isClosing()) {
                process.start();
            }
        }
    }
}
