package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;

/** A lease store whose claims and releases are looked at as they pass. */
final class RecordingLeaseStore implements LeaseStore {
    private final SimulatedProcess process;
    private final LeaseStore store;
    private boolean unsettledClaim;

    RecordingLeaseStore(SimulatedProcess process, LeaseStore store) {
        this.process = process;
        this.store = store;
    }

    /** Whether a claim was won that neither leads yet nor was given up. */
    boolean hasUnsettledClaim() {
        return unsettledClaim && process.newest().election().phase() == LeasePhase.STANDBY;
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        unsettledClaim = false;
        return store.read();
    }

    @Override
    public void initialize() throws LeaseStoreException {
        store.initialize();
    }

    @Override
    public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        if (next.released()) {
            process.simulation().figures().releases++;
            if (process.isWorkGoingOn(next.epoch())) {
                process.checks()
                        .violated(
                                Rule.RELEASED_AFTER_THE_WORK,
                                process + " releases epoch " + next.epoch() + " while its work goes on");
            }
        }
        long begunNs = process.simulation().time().nowNs();
        WriteOutcome outcome = store.replace(expected, next);
        if (outcome == WriteOutcome.CONFIRMED) {
            process.simulation().liveness().confirmed(next, begunNs);
        }
        process.simulation()
                .trace(
                        "%s: %s of epoch %s, sequence %s: %s",
                        process,
                        next.sequence() == 0 ? "claim" : next.released() ? "release" : "renew",
                        next.epoch(),
                        next.sequence(),
                        outcome);
        unsettledClaim = next.sequence() == 0 && outcome == WriteOutcome.CONFIRMED;
        return outcome;
    }

    @Override
    public String location() {
        return store.location();
    }
}
