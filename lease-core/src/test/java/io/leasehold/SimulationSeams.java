package io.leasehold;

import io.leasehold.file.SimulatedDisk;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import org.jspecify.annotations.Nullable;

/** Where a rule can be taken out of a simulated process, to see that the simulation finds it missing. */
interface SimulationSeams {
    /** The processes as they are shipped. */
    SimulationSeams NONE = new SimulationSeams() {};

    default void prepare(SimulatedDisk disk) {}

    default LeaseStore leaseStore(LeaseStore shipped) {
        return shipped;
    }

    default @Nullable StateStore stateStore(StateStore shipped) {
        return shipped;
    }

    default LeaseClock clock(LeaseClock shipped) {
        return shipped;
    }

    default LeaseListener listener(LeaseListener work) {
        return work;
    }

    default LeaseSettings settings(LeaseSettings drawn) {
        return drawn;
    }

    /** Whether what cannot be read is told to be absent. */
    default boolean unreadableIsAbsent() {
        return false;
    }
}
