package io.leasehold;

import io.leasehold.SimulatedHost.Cause;
import io.leasehold.SimulatedHost.Trouble;
import io.leasehold.SimulationFigures.Happening;
import io.leasehold.SimulationScenario.Incident;
import io.leasehold.file.SimulatedFiles;
import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.file.SimulatedFiles.Outcome;
import io.leasehold.file.StaleView;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

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
        simulation.liveness().operationTakesTime();
        Outcome outcome = outcome(operation);
        simulation.trace("%s: %s %s %s", process, operation, path, outcome);
        simulation.figures().operations++;
        if (outcome != Outcome.SUCCEEDS) {
            simulation.figures().count(outcome, host.trouble().cause());
        }
        return outcome;
    }

    /** A pause matters most where others can take over meanwhile: right before a commit is written. */
    private void pauseBeforeACommit(Operation operation, Path path) {
        boolean commits = operation == Operation.MOVE && path.startsWith(simulation.statePath());
        if (commits && !simulation.isCalm() && random().nextInt(6) == 0) {
            simulation
                    .time()
                    .stall(random().nextLong(3 * process.settings().ttl().toNanos()));
        }
    }

    private Outcome outcome(Operation operation) {
        Trouble trouble = host.trouble();
        return switch (operation) {
            case LIST, READ -> random().nextDouble() >= trouble.reads() ? Outcome.SUCCEEDS : Outcome.FAILS;
            case LINK -> {
                if (!simulation.scenario().linksWork) {
                    yield Outcome.FAILS;
                }
                yield random().nextDouble() >= trouble.links() ? Outcome.SUCCEEDS : failedWrite(trouble.cause());
            }
            case CREATE -> {
                if (random().nextDouble() >= trouble.writes()) {
                    yield Outcome.SUCCEEDS;
                }
                boolean torn = trouble.cause() != Cause.STALE_FILE_HANDLE && random().nextInt(3) == 0;
                yield torn ? Outcome.IS_TORN : failedWrite(trouble.cause());
            }
            case CREATE_DIRECTORY ->
                random().nextDouble() >= trouble.writes() ? Outcome.SUCCEEDS : failedWrite(trouble.cause());
            case MOVE, SYNC, DELETE ->
                trouble.cause() == Cause.NO_SPACE_LEFT || random().nextDouble() >= trouble.writes()
                        ? Outcome.SUCCEEDS
                        : failedWrite(trouble.cause());
        };
    }

    /** What lands after a power failure, or in a directory that is another one by then, is another storage's fault. */
    private Outcome failedWrite(Cause cause) {
        if (cause != Cause.INPUT_OUTPUT_ERROR) {
            return Outcome.FAILS;
        }
        Outcome drawn = FAILED_WRITES[random().nextInt(FAILED_WRITES.length)];
        Incident incident = simulation.scenario().incident;
        boolean tooLate = incident == Incident.POWER_FAILURE || incident == Incident.UNMOUNTED;
        return drawn == Outcome.LANDS_LATER && tooLate ? Outcome.FAILS : drawn;
    }

    /** What the JDK throws: with the file where a call failed, without where reading or writing an open one did. */
    @Override
    public IOException failure(Operation operation, Path path) {
        if (operation == Operation.LINK && !simulation.scenario().linksWork) {
            return new FileSystemException(path.toString(), null, "Operation not permitted");
        }
        String text = host.trouble().cause().text;
        boolean open = switch (operation) {
            case READ, SYNC, CREATE -> random().nextBoolean();
            case LIST, LINK, MOVE, DELETE, CREATE_DIRECTORY -> false;
        };
        return open ? new IOException(text) : new FileSystemException(path.toString(), null, text);
    }

    @Override
    public int torn(int length) {
        return random().nextInt(length + 1);
    }

    @Override
    public @Nullable StaleView view() {
        return simulation.scenario().kind.isStale() ? host.view() : null;
    }

    @Override
    public void after(Operation operation, Path path) {
        switch (operation) {
            case LINK, MOVE, CREATE -> simulation.changed(path);
            case LIST -> {
                if (host.view().isStale(path)) {
                    simulation.figures().count(Happening.STALE_LISTING);
                }
            }
            case READ, SYNC, DELETE, CREATE_DIRECTORY -> {}
        }
        process.pause();
    }

    @Override
    public void later(Runnable operation) {
        host.underWay().add(operation);
    }

    private SplittableRandom random() {
        return simulation.random();
    }
}
