package io.leasehold.spring.autoconfigure.health;

import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.health.LeaseHealthIndicator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the lease, where Spring Boot's health module is there; {@code management.health.lease.enabled} turns it off. */
@AutoConfiguration(after = LeaseAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean(LeaseListeners.class)
public final class LeaseHealthAutoConfiguration {

    LeaseHealthAutoConfiguration() {}

    /** The component is {@code lease}; of several leases it has one part for each, by its name. */
    @Bean
    @ConditionalOnMissingBean(value = LeaseHealthIndicator.class, name = "leaseHealthIndicator")
    @ConditionalOnEnabledHealthIndicator("lease")
    HealthContributor leaseHealthIndicator(ObjectProvider<LeaseListeners> listeners) {
        return HealthOfLeases.of(
                listeners.stream().toList(),
                followers -> followers.lease().settings().name(),
                followers -> new LeaseHealthIndicator(followers.lease(), followers));
    }
}
