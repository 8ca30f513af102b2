package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Leases and states on a server. Once all beans are there each is looked at: what a person has to mend on a server that
 * answers ends the start; a server that does not answer is waited for.
 */
abstract class ServerStores implements StoreBackEnd, SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(ServerStores.class);

    private interface Check {
        void run() throws LeaseStoreException;
    }

    private final List<Check> checks = new ArrayList<>();

    abstract ConditionalLeaseStore newLeaseStore(LeaseSettings settings);

    abstract ConditionalStateStore newStateStore(LeaseSettings settings);

    @Override
    public final LeaseStore leaseStore(LeaseSettings settings) {
        ConditionalLeaseStore store = newLeaseStore(settings);
        checks.add(store::check);
        return store;
    }

    @Override
    public final StateStore stateStore(LeaseSettings settings) {
        ConditionalStateStore store = newStateStore(settings);
        checks.add(store::check);
        return store;
    }

    /** How long a call may take: one that hangs leaves room for another before the next renew. */
    static Duration timeout(LeaseSettings settings) {
        return settings.renewInterval().dividedBy(2);
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (Check check : checks) {
            try {
                check.run();
            } catch (LeaseStoreException | StateStoreException e) {
                LOG.warn("What the lease is kept in cannot be used yet; it is tried again and again", e);
                return;
            }
        }
    }
}
