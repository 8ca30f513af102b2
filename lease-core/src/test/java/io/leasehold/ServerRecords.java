package io.leasehold;

import io.leasehold.state.ConditionalStateStore;
import io.leasehold.store.ConditionalLeaseStore;
import java.util.SplittableRandom;

/** What a server keeps of one lease and its state, replaced on a condition; without any trouble on the way to it. */
interface ServerRecords extends AutoCloseable {

    /** The lease by a store of its own, as each process has one. */
    ConditionalLeaseStore leases();

    /** The state, likewise. */
    ConditionalStateStore states();

    /** What can happen to them in a history; false where it cannot, or where it would change nothing. */
    boolean happens(SimulationScenario scenario, SplittableRandom random);

    /** At the end of the history. */
    @Override
    default void close() {}
}
