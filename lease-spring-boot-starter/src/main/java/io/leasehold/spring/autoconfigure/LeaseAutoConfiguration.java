package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * A lease, its state and its lifecycle, from the properties {@code lease.*}. Each bean gives way to one of the application's
 * own. Where the application brings its own {@link LeaseStore}, there is a state only if it brings a {@link StateStore} too,
 * or names a path for it.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "lease.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LeaseProperties.class)
public final class LeaseAutoConfiguration {
    private static final Duration DEFAULT_PHASE_TIMEOUT = Duration.ofSeconds(30);

    LeaseAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean({LeaseSettings.class, LeaderLease.class})
    LeaseSettings leaseSettings(LeaseProperties properties, Environment environment) {
        String name =
                properties.name() != null ? properties.name() : environment.getProperty("spring.application.name");
        if (name == null) {
            throw new LeaseConfigurationException(
                    "The lease has no name: neither lease.name nor spring.application.name is set.",
                    "Set spring.application.name, or set lease.name to a text that all replicas of this application, and"
                            + " nothing else, share.");
        }
        return LeaseSettings.builder(name)
                .holderPrefix(properties.holderId())
                .ttl(properties.ttl())
                .renewInterval(properties.renewInterval())
                .drainTimeout(properties.drainTimeout())
                .verifyDelay(properties.verifyDelay())
                .maxClockSkew(properties.maxClockSkew())
                .build();
    }

    @Bean
    @ConditionalOnMissingBean({LeaseStore.class, LeaderLease.class})
    LeaseStore leaseStore(LeaseProperties properties, LeaseSettings settings) {
        if (!properties.store().equals("file")) {
            throw new LeaseConfigurationException(
                    "lease.store is '" + properties.store() + "', and there is no such store.",
                    "Set it to 'file', or leave it out and define a LeaseStore bean.");
        }
        return FileLeaseStore.open(LeasePaths.lease(properties), settings.name(), options(properties));
    }

    @Bean
    @ConditionalOnMissingBean({StateStore.class, LeaderLease.class})
    @Conditional(OnStatePath.class)
    StateStore stateStore(LeaseProperties properties, LeaseSettings settings) {
        return FileStateStore.open(LeasePaths.state(properties), settings.name(), options(properties));
    }

    /** Closed by the lifecycle, before what its listeners need is closed. */
    @Bean(destroyMethod = "")
    @ConditionalOnMissingBean
    LeaderLease leaderLease(LeaseSettings settings, LeaseStore leaseStore, ObjectProvider<StateStore> stateStore) {
        return new LeaderLease(settings, leaseStore, stateStore.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(StateStore.class)
    LeaderState leaderState(LeaderLease lease) {
        return lease.state();
    }

    @Bean
    @ConditionalOnMissingBean
    LeaseListeners leaseListeners(LeaderLease lease, LeaseProperties properties, ApplicationContext context) {
        return new LeaseListeners(lease, context, properties.listeners(), properties.startAttempts());
    }

    @Bean
    @ConditionalOnMissingBean
    LeaderLifecycle leaderLifecycle(LeaderLease lease, LeaseListeners listeners, ApplicationContext context) {
        Duration phaseTimeout = Binder.get(context.getEnvironment())
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(DEFAULT_PHASE_TIMEOUT);
        return new LeaderLifecycle(lease, listeners, context, phaseTimeout);
    }

    private static FileStoreOptions options(LeaseProperties properties) {
        return new FileStoreOptions(
                properties.file().create(), properties.file().groupAccess());
    }

    static final class OnStatePath extends AnyNestedCondition {
        OnStatePath() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("lease.state.path")
        static final class StatePath {}

        @ConditionalOnProperty("lease.file.path")
        static final class LeasePath {}
    }
}
