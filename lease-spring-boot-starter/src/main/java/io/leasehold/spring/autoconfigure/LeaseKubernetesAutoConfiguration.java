package io.leasehold.spring.autoconfigure;

import io.fabric8.kubernetes.client.KubernetesClient;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Leases and states in Kubernetes, for {@code lease.store} and {@code lease.state.store}. Takes the address and the
 * credentials of the application's {@link KubernetesClient} bean; where there is none, the client library finds the cluster
 * that the application runs in.
 */
@AutoConfiguration(before = LeaseAutoConfiguration.class)
@ConditionalOnClass(KubernetesClient.class)
@ConditionalOnStore(ConfiguredStores.KUBERNETES)
@EnableConfigurationProperties({LeaseProperties.class, LeaseKubernetesProperties.class})
public final class LeaseKubernetesAutoConfiguration {

    LeaseKubernetesAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    KubernetesStores leaseKubernetesStores(
            LeaseProperties properties,
            LeaseKubernetesProperties kubernetes,
            ObjectProvider<KubernetesClient> clients) {
        return new KubernetesStores(properties, kubernetes, clients);
    }
}
