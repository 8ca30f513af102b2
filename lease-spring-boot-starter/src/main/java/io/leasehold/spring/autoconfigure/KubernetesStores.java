package io.leasehold.spring.autoconfigure;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.leasehold.LeaseSettings;
import io.leasehold.kubernetes.KubernetesApi;
import io.leasehold.kubernetes.KubernetesLeaseStore;
import io.leasehold.kubernetes.KubernetesStateStore;
import io.leasehold.kubernetes.KubernetesStoreOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Leases and states in the cluster that the application's client knows, or that the application runs in. Those with the same
 * time-out share a client.
 */
final class KubernetesStores extends ServerStores implements DisposableBean {
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);

    private final LeaseProperties properties;
    private final LeaseKubernetesProperties kubernetes;
    private final ObjectProvider<KubernetesClient> clients;
    private final Map<Duration, KubernetesApi> apis = new HashMap<>();

    KubernetesStores(
            LeaseProperties properties,
            LeaseKubernetesProperties kubernetes,
            ObjectProvider<KubernetesClient> clients) {
        this.properties = properties;
        this.kubernetes = kubernetes;
        this.clients = clients;
    }

    @Override
    public String store() {
        return ConfiguredStores.KUBERNETES;
    }

    @Override
    KubernetesLeaseStore newLeaseStore(LeaseSettings settings) {
        return open(settings, KubernetesLeaseStore::new);
    }

    @Override
    KubernetesStateStore newStateStore(LeaseSettings settings) {
        return open(settings, KubernetesStateStore::new);
    }

    private <T> T open(LeaseSettings settings, BiFunction<KubernetesApi, String, T> opening) {
        String name = name(settings);
        KubernetesApi api = apis.computeIfAbsent(possible(timeout(settings)), this::connect);
        try {
            return opening.apply(api, name);
        } catch (IllegalArgumentException e) {
            throw new LeaseConfigurationException(
                    "The name of the lease's object, from " + nameSource() + ", breaks a rule: " + e.getMessage() + ".",
                    properties.leases().isEmpty()
                            ? "Set lease.kubernetes.name to a name that Kubernetes allows."
                            : "Give the lease another name.",
                    e);
        }
    }

    private KubernetesApi connect(Duration timeout) {
        KubernetesStoreOptions options = new KubernetesStoreOptions(kubernetes.namespace(), timeout);
        KubernetesClient application = clients.getIfUnique();
        if (application != null) {
            return connect(application, options);
        }
        if (clients.stream().findAny().isPresent()) {
            throw new LeaseConfigurationException(
                    "There are several KubernetesClient beans, and it is not known which one reaches the lease.",
                    "Mark one of them as @Primary, or define a LeaseStore bean, and a StateStore bean for a state.");
        }
        try (KubernetesClient own = new KubernetesClientBuilder().build()) {
            return connect(own, options);
        } catch (KubernetesClientException e) {
            throw new LeaseConfigurationException(
                    "No client of Kubernetes can be made: " + e.getMessage(),
                    "Add the library io.fabric8:kubernetes-client, or define a KubernetesClient bean.",
                    e);
        }
    }

    private static KubernetesApi connect(KubernetesClient client, KubernetesStoreOptions options) {
        try {
            return KubernetesApi.of(client, options);
        } catch (IllegalStateException e) {
            throw new LeaseConfigurationException(
                    e.getMessage() + ".", "Set lease.kubernetes.namespace, or the namespace of the client.", e);
        }
    }

    private String name(LeaseSettings settings) {
        String name = kubernetes.name();
        if (name == null) {
            return settings.name();
        }
        if (!properties.leases().isEmpty()) {
            throw new LeaseConfigurationException(
                    "lease.kubernetes.name is set beside lease.leases, and several leases cannot share one object.",
                    "Leave it out: each lease is called by its name.");
        }
        return name;
    }

    private String nameSource() {
        return kubernetes.name() != null ? "lease.kubernetes.name" : "the lease's name";
    }

    private static Duration possible(Duration timeout) {
        return timeout.compareTo(SHORTEST_TIMEOUT) < 0 ? SHORTEST_TIMEOUT : timeout;
    }

    @Override
    public void destroy() {
        apis.values().forEach(KubernetesApi::close);
    }
}
