package io.leasehold.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where in Kubernetes leases and their states are.
 *
 * @param namespace Namespace of the Lease and of the ConfigMap. Defaults to the one of the application's client, which in a
 *     pod is the pod's own.
 * @param name Name of the Lease object; the ConfigMap of the state is called the same with "-state" appended. Defaults to the
 *     name of the lease. Not with several leases, which are called by their names.
 */
@ConfigurationProperties("lease.kubernetes")
public record LeaseKubernetesProperties(
        @Nullable String namespace, @Nullable String name) {}
