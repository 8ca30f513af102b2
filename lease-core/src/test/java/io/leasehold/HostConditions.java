package io.leasehold;

import io.leasehold.SimulationScenario.Incident;
import io.leasehold.file.SimulatedFiles;
import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.file.SimulatedFiles.Outcome;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** How the storage treats one process of a host: pauses around every operation, and the trouble that the host has. */
final class HostConditions implements SimulatedFiles.Conditions {
    private static final Outcome[] FAILED_WRITES = {
        Outcome.FAILS, Outcome.FAILS, Outcome.LOSES_ITS_REPLY, Outcome.LOSES_ITS_REPLY, Outcome.LANDS_LATER
    };

    private final SimulatedProcess process;
    private final Simulation simulation;
    private final SimulatedHost host;

    HostConditions(SimulatedProcess process, SimulatedHost host) {
        this.process = process;
        this.simulation = process.simulation();
        this.host = host;
    }

    @Override
    public Outcome before(Operation operation, Path path) {
        process.pause();
        pauseBeforeACommit(operation, path);
        Outcome outcome = outcome(operation);
        simulation.trace("%s: %s %s %s", process, operation, path, outcome);
        simulation.figures().operations++;
        if (outcome != Outcome.SUCCEEDS) {
            simulation.figures().failedOperations++;
        }
        return outcome;
    }

    /** A pause matters most where others can take over meanwhile: right before a commit is written. */
    private void pauseBeforeACommit(Operation operation, Path path) {
        boolean commits = operation == Operation.MOVE && path.startsWith(simulation.statePath());
        if (commits && !simulation.isCalm() && simulation.random().nextInt(6) == 0) {
            long ttlNs = process.settings().ttl().toNanos();
            simulation.time().stall(simulation.random().nextLong(3 * ttlNs));
        }
    }

    private Outcome outcome(Operation operation) {
        SplittableRandom random = simulation.random();
        return switch (operation) {
            case LIST, READ -> random.nextDouble() >= host.readsFail() ? Outcome.SUCCEEDS : failedRead();
            case LINK -> {
                if (!simulation.scenario().linksWork) {
                    yield Outcome.FAILS;
                }
                yield random.nextDouble() >= host.linksFail() ? Outcome.SUCCEEDS : failedWrite();
            }
            case CREATE -> {
                if (random.nextDouble() >= host.writesFail()) {
                    yield Outcome.SUCCEEDS;
                }
                yield random.nextInt(3) == 0 ? Outcome.IS_TORN : failedWrite();
            }
            case MOVE, SYNC, DELETE, CREATE_DIRECTORY ->
                random.nextDouble() >= host.writesFail() ? Outcome.SUCCEEDS : failedWrite();
        };
    }

    private Outcome failedRead() {
        return simulation.seams().unreadableIsAbsent() ? Outcome.SEEMS_ABSENT : Outcome.FAILS;
    }

    /** What lands after a power failure, or in a directory that is another one by then, is another storage's fault. */
    private Outcome failedWrite() {
        Outcome drawn = FAILED_WRITES[simulation.random().nextInt(FAILED_WRITES.length)];
        Incident incident = simulation.scenario().incident;
        boolean tooLate = incident == Incident.POWER_FAILURE || incident == Incident.UNMOUNTED;
        return drawn == Outcome.LANDS_LATER && tooLate ? Outcome.FAILS : drawn;
    }

    @Override
    public void after(Operation operation, Path path) {
        process.pause();
    }

    @Override
    public void later(Runnable operation) {
        host.underWay().add(operation);
    }
}
