package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.LeaseStores;
import io.leasehold.state.LeaderState;
import java.util.HashMap;
import java.util.Map;
import org.springframework.context.ApplicationContext;

/** Makes the beans of several leases, each by the lease's name. */
final class NamedLeases {
    private final LeaseProperties properties;
    private final LeaseStores stores;
    private final ApplicationContext context;

    NamedLeases(LeaseProperties properties, LeaseStores stores, ApplicationContext context) {
        this.properties = properties;
        this.stores = stores;
        this.context = context;
        refuseSharedListeners();
    }

    LeaderLease lease(String name) {
        LeaseSettings settings = spec(name).settings(context.getEnvironment());
        return LeaseAutoConfiguration.newLease(
                properties,
                settings,
                stores.leaseStore(settings),
                stores.stateStore(settings).orElse(null));
    }

    LeaderState state(LeaderLease lease) {
        return lease.state();
    }

    LeaseListeners listeners(LeaderLease lease) {
        return spec(lease.settings().name()).listeners(lease, context);
    }

    LeaderLifecycle lifecycle(LeaderLease lease, LeaseListeners listeners) {
        return LeaseAutoConfiguration.newLifecycle(lease, listeners, context);
    }

    private LeaseSpec spec(String name) {
        return LeaseSpec.named(properties, name);
    }

    private void refuseSharedListeners() {
        Map<String, String> followers = new HashMap<>();
        properties
                .leases()
                .forEach((name, own) -> own.listeners().forEach(listener -> {
                    String other = followers.putIfAbsent(listener, name);
                    if (other != null && !other.equals(name)) {
                        throw new LeaseConfigurationException(
                                "The listener '" + listener + "' is named by two leases, '" + other + "' and '" + name
                                        + "'.",
                                "Let it follow one of them: take it out of the property listeners of the other.");
                    }
                }));
    }
}
