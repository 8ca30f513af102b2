package io.leasehold.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.Closeable;
import java.time.Duration;

/**
 * A client of one's own: calls that end in time, and connections that the application's traffic cannot use up.
 *
 * @param client derived from the application's, with its address and its credentials
 * @param namespace the namespace of the objects
 * @param limit how long a whole call may take, answer and all
 */
record ApiServer(KubernetesClient client, String namespace, Duration limit) implements Closeable {

    static ApiServer connect(KubernetesClient application, KubernetesStoreOptions options) {
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
        return new ApiServer(
                new KubernetesClientBuilder().withConfig(config).build(),
                namespace,
                options.timeout().multipliedBy(2));
    }

    @Override
    public void close() {
        client.close();
    }
}
