package io.leasehold;

import io.leasehold.SimulationFigures.Happening;
import io.leasehold.SimulationScenario.Incident;
import io.leasehold.file.SimulatedDisk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is done to the lease's directory: once in a history, and not in the middle of a claim. */
final class SimulationIncidents {
    private final Simulation simulation;
    private final Incident incident;
    private SimulatedDisk.@Nullable Backup backup;
    private byte @Nullable [] removedMarker;
    private boolean unmounted;
    private boolean happened;

    SimulationIncidents(Simulation simulation) {
        this.simulation = simulation;
        this.incident = simulation.scenario().incident;
    }

    /** The incident, or its end. */
    void happen() {
        if (unmounted) {
            if (nothingIsUnderWay()) {
                mount();
            }
            return;
        }
        if (removedMarker != null) {
            confirm(removedMarker);
            return;
        }
        if (happened
                || (!simulation.scenario().onServer && !simulation.disk().isThere(simulation.leasePath()))
                || (incident != Incident.FAIL_OVER
                        && simulation.processes().stream().anyMatch(SimulatedProcess::mayBeClaiming))) {
            return;
        }
        try {
            happened = simulation.scenario().onServer ? beginOnServer() : begin();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (happened) {
            simulation.figures().count(Happening.valueOf(incident.name()));
            simulation.trace("%s", incident);
        }
    }

    private boolean begin() throws IOException {
        SimulatedDisk disk = simulation.disk();
        List<SimulatedProcess> processes = simulation.processes();
        switch (incident) {
            case NONE, FAIL_OVER -> {
                return false;
            }
            case EMPTIED -> {
                disk.emptyEpochs(simulation.leasePath());
                if (simulation.random().nextBoolean()) {
                    simulation.crash(processes.get(0));
                }
            }
            case RESTORED -> {
                return restore(disk);
            }
            case REMOVED -> {
                if (simulation.highestSealed() == 0) {
                    return false;
                }
                removedMarker = disk.removeAndRecreate(simulation.leasePath());
            }
            case UNMOUNTED -> {
                if (simulation.highestSealed() == 0 || !nothingIsUnderWay()) {
                    return false;
                }
                disk.unmount(simulation.leasePath());
                unmounted = true;
            }
            case GARBLED -> disk.garble(simulation.leasePath(), simulation.random());
            case POWER_FAILURE -> {
                processes.forEach(simulation::crash);
                disk.powerFails(simulation.random()::nextBoolean);
            }
        }
        return true;
    }

    private boolean beginOnServer() {
        boolean begun = simulation.server().happens(simulation.scenario(), simulation.random());
        if (begun && incident == Incident.EMPTIED && simulation.random().nextBoolean()) {
            simulation.crash(simulation.processes().get(0));
        }
        return begun;
    }

    private boolean restore(SimulatedDisk disk) throws IOException {
        if (backup == null) {
            backup = disk.backUp(simulation.leasePath());
        }
        if (backup.highestEpoch() == disk.highestEpoch(simulation.leasePath())) {
            return false;
        }
        disk.restore(simulation.leasePath(), backup);
        return true;
    }

    private boolean nothingIsUnderWay() {
        return simulation.processes().stream().allMatch(p -> p.tasks().isEmpty());
    }

    private void mount() {
        simulation.trace("the directory is mounted again%s", "");
        try {
            simulation.disk().mount(simulation.leasePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        unmounted = false;
    }

    /** A new directory is refused until a person says that it is the right one. */
    private void confirm(byte[] marker) {
        simulation.trace("the new directory is confirmed%s", "");
        try {
            simulation.disk().confirm(simulation.leasePath(), marker);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        removedMarker = null;
    }

    /** What has not ended yet ends. */
    void calm() {
        if (unmounted) {
            simulation.processes().forEach(simulation::crash);
            mount();
        }
        if (removedMarker != null) {
            confirm(removedMarker);
        }
    }
}
