package io.leasehold.spring.autoconfigure.health;

import io.leasehold.LeaderLease;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.health.LeaseHealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health of the lease, where Spring Boot's health module is there; {@code management.health.lease.enabled} turns it off. */
@AutoConfiguration(after = LeaseAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBean({LeaderLease.class, LeaseListeners.class})
public final class LeaseHealthAutoConfiguration {

    LeaseHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnEnabledHealthIndicator("lease")
    LeaseHealthIndicator leaseHealthIndicator(LeaderLease lease, LeaseListeners listeners) {
        return new LeaseHealthIndicator(lease, listeners);
    }
}
