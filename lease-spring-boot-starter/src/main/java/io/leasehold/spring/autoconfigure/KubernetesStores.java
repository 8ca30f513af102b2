package io.leasehold.spring.autoconfigure;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.leasehold.LeaseSettings;
import io.leasehold.kubernetes.KubernetesLeaseStore;
import io.leasehold.kubernetes.KubernetesStateStore;
import io.leasehold.kubernetes.KubernetesStoreOptions;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;

/** Leases and states in the cluster that the application's client knows, or that the application runs in. */
final class KubernetesStores implements StoreBackEnd {
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(10);
    private static final Duration LONGEST_TIMEOUT = Duration.ofSeconds(10);

    /** Makes one of the two stores. */
    private interface Opening<T> {
        T open(KubernetesClient client, String name, KubernetesStoreOptions options);
    }

    private final LeaseProperties properties;
    private final LeaseKubernetesProperties kubernetes;
    private final ObjectProvider<KubernetesClient> clients;

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
    public LeaseStore leaseStore(LeaseSettings settings) {
        return open(settings, KubernetesLeaseStore::open);
    }

    @Override
    public StateStore stateStore(LeaseSettings settings) {
        return open(settings, KubernetesStateStore::open);
    }

    private <T> T open(LeaseSettings settings, Opening<T> opening) {
        String name = name(settings);
        KubernetesStoreOptions options = new KubernetesStoreOptions(kubernetes.namespace(), timeout(settings));
        KubernetesClient application = clients.getIfUnique();
        if (application != null) {
            return open(application, name, options, opening);
        }
        if (clients.stream().findAny().isPresent()) {
            throw new LeaseConfigurationException(
                    "There are several KubernetesClient beans, and it is not known which one reaches the lease.",
                    "Mark one of them as @Primary, or define a LeaseStore bean, and a StateStore bean for a state.");
        }
        try (KubernetesClient own = new KubernetesClientBuilder().build()) {
            return open(own, name, options, opening);
        } catch (KubernetesClientException e) {
            throw new LeaseConfigurationException(
                    "No client of Kubernetes can be made: " + e.getMessage(),
                    "Add the library io.fabric8:kubernetes-client, or define a KubernetesClient bean.",
                    e);
        }
    }

    private <T> T open(KubernetesClient client, String name, KubernetesStoreOptions options, Opening<T> opening) {
        try {
            return opening.open(client, name, options);
        } catch (IllegalArgumentException e) {
            throw new LeaseConfigurationException(
                    "The name of the lease's object, from " + nameSource() + ", breaks a rule: " + e.getMessage() + ".",
                    properties.leases().isEmpty()
                            ? "Set lease.kubernetes.name to a name that Kubernetes allows."
                            : "Give the lease another name.",
                    e);
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

    /** A holder has to hear of a renew before the next one is due. */
    private static Duration timeout(LeaseSettings settings) {
        Duration half = settings.renewInterval().dividedBy(2);
        if (half.compareTo(SHORTEST_TIMEOUT) < 0) {
            return SHORTEST_TIMEOUT;
        }
        return half.compareTo(LONGEST_TIMEOUT) > 0 ? LONGEST_TIMEOUT : half;
    }
}
