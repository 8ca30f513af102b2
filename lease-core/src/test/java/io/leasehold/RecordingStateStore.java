package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import java.util.Map;
import java.util.Set;

/** A state store whose answers are compared with all that was acknowledged before. */
final class RecordingStateStore implements StateStore {
    private final SimulatedProcess process;
    private final StateStore store;

    RecordingStateStore(SimulatedProcess process, StateStore store) {
        this.process = process;
        this.store = store;
    }

    @Override
    public StateHead head() {
        return store.head();
    }

    @Override
    public StateSession open(long epoch, String holder, String leaseId) {
        Set<String> before = process.checks().acknowledged();
        StateSession session = store.open(epoch, holder, leaseId);
        process.simulation().trace("%s: state of epoch %s opened", process, epoch);
        process.checks()
                .opened(process.toString(), epoch, before, session.entries().keySet());
        return new StateSession() {
            @Override
            public Map<String, String> entries() {
                return session.entries();
            }

            @Override
            public void write(Map<String, String> entries) {
                Set<String> acknowledgedBefore = process.checks().acknowledged();
                long sealed = process.simulation().highestSealed();
                session.write(entries);
                if (sealed > epoch) {
                    process.checks()
                            .violated(
                                    Rule.A_SEAL_FENCES,
                                    process + " commits in epoch " + epoch + " after epoch " + sealed + " was sealed");
                }
                process.checks().committed(process.toString(), epoch, acknowledgedBefore, entries.keySet());
            }
        };
    }

    @Override
    public Map<String, String> snapshot() {
        return store.snapshot();
    }

    @Override
    public String location() {
        return store.location();
    }
}
