package io.leasehold.spring.autoconfigure.metrics;

import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.metrics.LeaseMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The meters of all leases, where Micrometer is there. Registries are the business of Spring Boot's actuator. */
@AutoConfiguration(after = LeaseAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(LeaseListeners.class)
public final class LeaseMetricsAutoConfiguration {

    LeaseMetricsAutoConfiguration() {}

    /** Those of every lease; a bean of type {@link LeaseMetrics} takes their place. */
    @Bean
    @ConditionalOnMissingBean(LeaseMetrics.class)
    MeterBinder leaseMetrics(ObjectProvider<LeaseListeners> listeners) {
        return registry -> listeners.stream()
                .map(followers -> new LeaseMetrics(followers.lease(), followers))
                .forEach(metrics -> metrics.bindTo(registry));
    }
}
