package io.leasehold.spring;

import io.leasehold.LeaseSettings;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.util.Optional;

/**
 * Makes what several leases and their states are kept in. An application that names its leases in {@code lease.leases} and
 * defines a bean of this type keeps them where it says, instead of in files; with a single lease, {@link LeaseStore} and
 * {@link StateStore} beans do that. Called once for each lease at start-up. A store that is {@link AutoCloseable} is closed
 * with the context, after its lease.
 */
public interface LeaseStores {

    /**
     * Makes the store of a lease.
     *
     * @param settings the lease's settings; their name tells which lease
     * @return a store for this lease alone
     */
    LeaseStore leaseStore(LeaseSettings settings);

    /**
     * Makes the store of a lease's state.
     *
     * @param settings the lease's settings; their name tells which lease
     * @return a store for the state of this lease alone, or empty for a lease without state
     */
    Optional<StateStore> stateStore(LeaseSettings settings);
}
