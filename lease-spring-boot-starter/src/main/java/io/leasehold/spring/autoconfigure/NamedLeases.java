package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.LeaseStores;
import io.leasehold.spring.autoconfigure.LeaseProperties.Named;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationContext;

/** Makes the beans of several leases, each by the lease's name, and in the end closes their stores, which are no beans. */
final class NamedLeases implements DisposableBean {
    private static final Logger LOG = LoggerFactory.getLogger(NamedLeases.class);

    private final LeaseProperties properties;
    private final LeaseStores stores;
    private final ApplicationContext context;
    private final List<AutoCloseable> opened = new ArrayList<>();

    NamedLeases(LeaseProperties properties, LeaseStores stores, ApplicationContext context) {
        this.properties = properties;
        this.stores = stores;
        this.context = context;
        refuseWhatIsNotInherited();
        refuseShared("listener", (name, own) -> own.listeners());
        refuseShared(
                "role of Spring Integration",
                (name, own) -> List.of(Objects.requireNonNullElse(own.integrationRole(), name)));
    }

    LeaderLease lease(String name) {
        LeaseSettings settings = spec(name).settings(context.getEnvironment());
        LeaseStore leaseStore = closedInTheEnd(stores.leaseStore(settings));
        StateStore stateStore =
                stores.stateStore(settings).map(this::closedInTheEnd).orElse(null);
        return LeaseAutoConfiguration.newLease(properties, settings, leaseStore, stateStore);
    }

    private <T> T closedInTheEnd(T store) {
        if (store instanceof AutoCloseable closeable) {
            opened.add(closeable);
        }
        return store;
    }

    @Override
    public void destroy() {
        for (AutoCloseable store : opened) {
            try {
                store.close();
            } catch (Exception e) {
                LOG.warn("{} could not be closed", store, e);
            }
        }
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

    /** What of the only lease would silently have no effect. */
    private void refuseWhatIsNotInherited() {
        if (!properties.listeners().isEmpty() || properties.integrationRole() != null) {
            throw new LeaseConfigurationException(
                    (properties.listeners().isEmpty() ? "lease.integration-role" : "lease.listeners")
                            + " is set beside lease.leases, and it is not known which of the leases is meant.",
                    "Set it for one of them, such as lease.leases."
                            + properties.leases().keySet().iterator().next() + ".listeners.");
        }
    }

    private void refuseShared(String what, BiFunction<String, Named, List<String>> followers) {
        Map<String, String> leases = new HashMap<>();
        properties
                .leases()
                .forEach((name, own) -> followers.apply(name, own).forEach(follower -> {
                    String other = leases.putIfAbsent(follower, name);
                    if (other != null && !other.equals(name)) {
                        throw new LeaseConfigurationException(
                                "The " + what + " '" + follower + "' follows two leases, '" + other + "' and '" + name
                                        + "'.",
                                "Let it follow one of them, by their properties listeners or integration-role.");
                    }
                }));
    }
}
