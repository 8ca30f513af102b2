package io.leasehold.spring.autoconfigure.metrics;

import io.leasehold.LeaderLease;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.metrics.LeaseMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The meters of the lease, where Micrometer is there. Registries are the business of Spring Boot's actuator. */
@AutoConfiguration(after = LeaseAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean({LeaderLease.class, LeaseListeners.class})
public final class LeaseMetricsAutoConfiguration {

    LeaseMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    LeaseMetrics leaseMetrics(LeaderLease lease, LeaseListeners listeners) {
        return new LeaseMetrics(lease, listeners);
    }
}
