package io.leasehold;

import io.leasehold.SimulatedTasks.Killed;
import io.leasehold.SimulatedTasks.Task;
import io.leasehold.SimulationChecks.Rule;
import org.jspecify.annotations.Nullable;

/** One start of a lease in a simulated process: the shipped election, and when its next step is due. */
final class SimulatedContender {
    private final SimulatedProcess process;
    private final LeaseElection election;
    private @Nullable Task stepping;
    private boolean woken = true;
    private boolean never;
    private long dueAtNs;

    SimulatedContender(SimulatedProcess process, LeaseContext context) {
        this.process = process;
        this.election = new LeaseElection(context, this::wake);
    }

    LeaseElection election() {
        return election;
    }

    void wake() {
        woken = true;
    }

    boolean isStepping() {
        return stepping != null;
    }

    boolean isDue() {
        return dueInNs() <= 0;
    }

    /** Nanoseconds of the host's clock until the next step; a large number where none is to come. */
    long dueInNs() {
        if (stepping != null || election.phase() == LeasePhase.CLOSED) {
            return LeaseElection.NEVER;
        }
        if (woken) {
            return 0;
        }
        return never ? LeaseElection.NEVER : dueAtNs - process.clock().monotonicNs();
    }

    void beginStep() {
        woken = false;
        stepping = process.task("step", 5, this::step);
    }

    private void step() {
        long inNs = 0;
        try {
            inNs = election.step();
        } catch (Killed e) {
            throw e;
        } catch (RuntimeException | Error e) {
            process.checks().violated(Rule.STEPS_RETURN, process + ": " + e);
        } finally {
            stepping = null;
        }
        never = inNs == LeaseElection.NEVER;
        dueAtNs = process.clock().monotonicNs() + inNs;
    }
}
