package io.leasehold.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.Closeable;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client of the leases' own: calls that end in time, and connections that the application's traffic cannot use up. Leases
 * and states of one cluster can share it. Safe for use by several threads.
 */
public final class KubernetesApi implements Closeable {
    private final KubernetesClient client;
    private final String namespace;
    private final Duration limit;
    private final Set<LeaseWatch> watches = ConcurrentHashMap.newKeySet();

    private KubernetesApi(KubernetesClient client, String namespace, Duration limit) {
        this.client = client;
        this.namespace = namespace;
        this.limit = limit;
    }

    /**
     * Derived from an application's client. Asks for nothing.
     *
     * @param application the client whose address and credentials are used; it is neither changed nor closed
     * @param options where and how the API server is asked
     * @return the client, to be closed when its leases are
     * @throws IllegalStateException when neither the options nor the client name a namespace
     */
    public static KubernetesApi of(KubernetesClient application, KubernetesStoreOptions options) {
        String namespace = options.namespace() != null ? options.namespace() : application.getNamespace();
        if (namespace == null || namespace.isBlank()) {
            throw new IllegalStateException(
                    "The Kubernetes client of " + application.getMasterUrl()
                            + " names no namespace, and this process is in no pod that would: name the one that the lease is in");
        }
        int timeout = Math.toIntExact(options.timeout().toMillis());
        Config config = new ConfigBuilder(application.getConfiguration())
                .withNamespace(namespace)
                .withConnectionTimeout(timeout)
                .withRequestTimeout(timeout)
                .withRequestRetryBackoffLimit(0)
                .build();
        return new KubernetesApi(
                new KubernetesClientBuilder().withConfig(config).build(),
                namespace,
                options.timeout().multipliedBy(2));
    }

    KubernetesClient client() {
        return client;
    }

    /** The namespace of the objects. */
    String namespace() {
        return namespace;
    }

    /** How long a whole call may take, answer and all. */
    Duration limit() {
        return limit;
    }

    /** Starts a watch that ends with this client, if not before. */
    Closeable start(LeaseWatch watch) {
        watches.add(watch);
        watch.start();
        return () -> {
            watches.remove(watch);
            watch.close();
        };
    }

    /** Ends every watch, connection and thread. */
    @Override
    public void close() {
        watches.forEach(LeaseWatch::close);
        client.close();
    }
}
