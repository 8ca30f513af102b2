package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.LeaderOnlyPostProcessor;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.LeaseStores;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * A lease, its state and its lifecycle, from the properties {@code lease.*}; or several, from {@code lease.leases.*}. Each
 * bean of the only lease gives way to one of the application's own. Where the application brings its own {@link LeaseStore},
 * there is a state only if it brings a {@link StateStore} too, or names a store or a path for it.
 *
 * <p>Of several leases each has a {@link LeaderLease}, a {@link LeaderState}, a {@link LeaseListeners} and a {@link
 * LeaderLifecycle} that are qualified by its name; what they are kept in is up to a {@link LeaseStores} bean.
 */
@AutoConfiguration
@EnableConfigurationProperties(LeaseProperties.class)
public final class LeaseAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseAutoConfiguration.class);
    private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

    LeaseAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty(name = "lease.leader-only.enabled", matchIfMissing = true)
    static LeaderOnlyPostProcessor leaderOnlyPostProcessor(ObjectProvider<LeaderLifecycle> leases) {
        return new LeaderOnlyPostProcessor(leases);
    }

    static LeaderLease newLease(
            LeaseProperties properties, LeaseSettings settings, LeaseStore leases, @Nullable StateStore states) {
        if (properties.enabled()) {
            return new LeaderLease(settings, leases, states);
        }
        LOG.info(
                "Lease {}: lease.enabled is false, so this process is taken for the only one and is always active",
                settings.name());
        return new LeaderLease(settings, new SingleInstanceStore(leases, states), states);
    }

    static LeaderLifecycle newLifecycle(LeaderLease lease, LeaseListeners listeners, ApplicationContext context) {
        Duration phaseTimeout = Binder.get(context.getEnvironment())
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(DEFAULT_PHASE_TIMEOUT);
        return new LeaderLifecycle(lease, listeners, context, phaseTimeout);
    }

    /** Several leases. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnNamedLeases.class)
    @Import(NamedLeasesRegistrar.class)
    static final class SeveralLeases {

        @Bean
        @ConditionalOnMissingBean
        LeaseStores leaseStores(LeaseProperties properties, ObjectProvider<StoreBackEnd> backEnds) {
            return new ConfiguredStores(properties, backEnds.stream());
        }

        @Bean
        @ConditionalOnMissingBean
        NamedLeases namedLeases(LeaseProperties properties, LeaseStores stores, ApplicationContext context) {
            return new NamedLeases(properties, stores, context);
        }
    }

    /** The only lease. */
    @Configuration(proxyBeanMethods = false)
    @Conditional(OnSingleLease.class)
    static final class SingleLease {

        @Bean
        @ConditionalOnMissingBean({LeaseSettings.class, LeaderLease.class})
        LeaseSettings leaseSettings(LeaseProperties properties, Environment environment) {
            return LeaseSpec.single(properties, environment).settings(environment);
        }

        @Bean
        @ConditionalOnMissingBean({LeaseStore.class, LeaderLease.class})
        LeaseStore leaseStore(
                LeaseProperties properties, LeaseSettings settings, ObjectProvider<StoreBackEnd> backEnds) {
            return new ConfiguredStores(properties, backEnds.stream()).leaseStore(settings);
        }

        @Bean
        @ConditionalOnMissingBean({StateStore.class, LeaderLease.class})
        @Conditional(OnState.class)
        StateStore stateStore(
                LeaseProperties properties, LeaseSettings settings, ObjectProvider<StoreBackEnd> backEnds) {
            return new ConfiguredStores(properties, backEnds.stream())
                    .stateStore(settings)
                    .orElseThrow();
        }

        /** Closed by the lifecycle, before what its listeners need is closed. */
        @Bean(destroyMethod = "")
        @ConditionalOnMissingBean
        LeaderLease leaderLease(
                LeaseProperties properties,
                LeaseSettings settings,
                LeaseStore leaseStore,
                ObjectProvider<StateStore> stateStore) {
            return newLease(properties, settings, leaseStore, stateStore.getIfAvailable());
        }

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(StateStore.class)
        LeaderState leaderState(LeaderLease lease) {
            return lease.state();
        }

        @Bean
        @ConditionalOnMissingBean
        LeaseListeners leaseListeners(
                LeaderLease lease, LeaseProperties properties, Environment environment, ApplicationContext context) {
            return LeaseSpec.single(properties, environment).listeners(lease, context);
        }

        @Bean
        @ConditionalOnMissingBean
        LeaderLifecycle leaderLifecycle(LeaderLease lease, LeaseListeners listeners, ApplicationContext context) {
            return newLifecycle(lease, listeners, context);
        }
    }

    static final class OnSingleLease extends NoneNestedConditions {
        OnSingleLease() {
            super(ConfigurationPhase.PARSE_CONFIGURATION);
        }

        @Conditional(OnNamedLeases.class)
        static final class Named {}
    }

    /** Where the properties name a state, or the only instance keeps one in memory. */
    static final class OnState implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            Environment environment = context.getEnvironment();
            return ConfiguredStores.nameAState(environment)
                    || (isOnlyInstance(environment) && !environment.containsProperty("lease.state.store"));
        }

        /** As the property is bound: a condition on its text would not know every way to say no. */
        private static boolean isOnlyInstance(Environment environment) {
            return !Binder.get(environment).bind("lease.enabled", Boolean.class).orElse(true);
        }
    }
}
