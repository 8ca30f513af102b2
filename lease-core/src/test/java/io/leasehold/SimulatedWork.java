package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A listener whose calls return at once, late, after ages, or throw; its work commits to the state of its term. */
final class SimulatedWork implements LeaseListener {
    private final SimulatedProcess process;
    private final Set<Long> goingOn = new HashSet<>();
    private @Nullable Lease told;
    private boolean inCall;

    SimulatedWork(SimulatedProcess process) {
        this.process = process;
    }

    /** The term that it was told of last, and not yet of its end. */
    @Nullable
    Lease told() {
        return told;
    }

    /** Whether the work of a term has begun, and was not said to have stopped. */
    boolean isGoingOn(long epoch) {
        return goingOn.contains(epoch);
    }

    @Override
    public void onAcquired(Lease lease) {
        begin(told == null, "epoch " + lease.epoch() + " acquired, told was " + told);
        try {
            told = lease;
            goingOn.add(lease.epoch());
            process.listenerIsCalled("acquired");
        } finally {
            inCall = false;
        }
    }

    @Override
    public void onSurrendered(Lease lease, SurrenderReason reason) {
        begin(lease.equals(told), "epoch " + lease.epoch() + " surrendered, told was " + told);
        try {
            told = null;
            while (process.isCommitting(lease)) {
                process.await();
            }
            process.listenerIsCalled("surrendered");
            goingOn.remove(lease.epoch());
        } finally {
            inCall = false;
        }
    }

    private void begin(boolean expected, String what) {
        if (inCall || !expected) {
            process.checks().violated(Rule.CALLS_COME_IN_PAIRS, process + ": " + what);
        }
        inCall = true;
    }
}
