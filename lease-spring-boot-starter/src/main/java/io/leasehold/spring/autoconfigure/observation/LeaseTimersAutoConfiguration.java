package io.leasehold.spring.autoconfigure.observation;

import io.leasehold.LeaderLease;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.observation.LeaseObservationConvention;
import io.leasehold.spring.observation.LeaseObservations;
import io.leasehold.spring.observation.LeaseTimerHandler;
import io.leasehold.spring.observation.LeaseTimers;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.ObservationFilter;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;

/**
 * The timers of the observations of all leases. Spring Boot's handler makes them of every observation; where that, or
 * the registry of observations, is missing and there is a meter registry, a handler for those of the lease alone does.
 */
@AutoConfiguration(
        after = LeaseAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterBinder.class, ObservationRegistry.class})
@ConditionalOnBean(LeaderLease.class)
public final class LeaseTimersAutoConfiguration {

    LeaseTimersAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    LeaseTimers leaseTimers(
            ObjectProvider<LeaderLease> leases,
            ObjectProvider<LeaseObservationConvention> convention,
            ObjectProvider<ObservationPredicate> predicates,
            ObjectProvider<ObservationFilter> filters,
            ObjectProvider<GlobalObservationConvention<?>> conventions) {
        List<String> names =
                leases.stream().map(lease -> lease.settings().name()).toList();
        return new LeaseTimers(names, convention.getIfAvailable(), config -> {
            predicates.orderedStream().forEach(config::observationPredicate);
            filters.orderedStream().forEach(config::observationFilter);
            conventions.orderedStream().forEach(config::observationConvention);
        });
    }

    /** Not lazy: nobody but the lease asks for it, and the lease does not know it. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(LeaseObservations.class)
    @ConditionalOnBean(MeterRegistry.class)
    @Conditional(OnNobodyToMakeTimers.class)
    LeaseObservations timedLeaseObservations(
            ObjectProvider<LeaderLease> leases,
            LeaseTimers timers,
            ObjectProvider<MeterRegistry> meters,
            ObjectProvider<ObservationRegistry> observations,
            ObjectProvider<LeaseObservationConvention> convention) {
        MeterRegistry registry = meters.getIfUnique(() -> all(meters));
        timers.bindTo(registry);
        ObservationRegistry own = observations.getIfAvailable(ObservationRegistry::create);
        own.observationConfig().observationHandler(new LeaseTimerHandler(registry));
        LeaseObservations made = new LeaseObservations(own, convention.getIfAvailable());
        leases.stream().forEach(lease -> lease.addObserver(made));
        return made;
    }

    private static MeterRegistry all(ObjectProvider<MeterRegistry> meters) {
        return new CompositeMeterRegistry(Clock.SYSTEM, meters.orderedStream().toList());
    }

    static final class OnNobodyToMakeTimers extends AnyNestedCondition {
        OnNobodyToMakeTimers() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnMissingBean(MeterObservationHandler.class)
        static final class NoHandler {}

        @ConditionalOnMissingBean(ObservationRegistry.class)
        static final class NoRegistry {}
    }
}
