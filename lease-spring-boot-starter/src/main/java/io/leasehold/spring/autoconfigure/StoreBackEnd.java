package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;

/** One kind of store that {@code lease.store} and {@code lease.state.store} can name. Nothing is reached before it is used. */
interface StoreBackEnd {

    /** What the properties call it. */
    String store();

    /** The store of a lease, for this lease alone. */
    LeaseStore leaseStore(LeaseSettings settings);

    /** The store of a lease's state, for the state of this lease alone. */
    StateStore stateStore(LeaseSettings settings);
}
