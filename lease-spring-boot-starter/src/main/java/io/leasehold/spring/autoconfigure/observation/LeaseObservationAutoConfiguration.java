package io.leasehold.spring.autoconfigure.observation;

import io.leasehold.LeaderLease;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.observation.LeaseObservationConvention;
import io.leasehold.spring.observation.LeaseObservations;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * The observations of all leases, in the application's {@link ObservationRegistry}. {@link
 * LeaseTimersAutoConfiguration} lets timers be made of them.
 */
@AutoConfiguration(
        after = {LeaseAutoConfiguration.class, LeaseTimersAutoConfiguration.class},
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(LeaderLease.class)
public final class LeaseObservationAutoConfiguration {

    LeaseObservationAutoConfiguration() {}

    /** Not lazy: nobody but the lease asks for it, and the lease does not know it. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    @ConditionalOnBean(ObservationRegistry.class)
    LeaseObservations leaseObservations(
            ObjectProvider<LeaderLease> leases,
            ObservationRegistry registry,
            ObjectProvider<LeaseObservationConvention> convention) {
        LeaseObservations observations = new LeaseObservations(registry, convention.getIfAvailable());
        leases.stream().forEach(lease -> lease.addObserver(observations));
        return observations;
    }
}
