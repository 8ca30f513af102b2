package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaderLease;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.spring.autoconfigure.health.LeaderHealthAutoConfiguration;
import io.leasehold.spring.autoconfigure.health.LeaseHealthAutoConfiguration;
import io.leasehold.spring.autoconfigure.info.LeaseInfoAutoConfiguration;
import io.leasehold.spring.info.LeaseInfoContributor;
import io.leasehold.store.LeaseStore;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What an application without the actuator, or without a lease, gets of the leader's health and of the info: nothing. */
class BackingOffTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LeaseAutoConfiguration.class,
                    LeaseHealthAutoConfiguration.class,
                    LeaderHealthAutoConfiguration.class,
                    LeaseInfoAutoConfiguration.class))
            .withBean(LeaseStore.class, MemoryLeaseStore::new)
            .withPropertyValues("lease.name=orders", "management.health.leader.enabled=true");

    @Test
    void withEverythingThereBothAreThere() {
        runner.run(context -> assertThat(context)
                .hasBean("leaseLeaderHealthIndicator")
                .hasBean("leaderHealthGroups")
                .hasSingleBean(LeaseInfoContributor.class));
    }

    @Test
    void withoutTheActuatorThereIsNeither() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LeaderLease.class)
                        .hasBean("leaseHealthIndicator")
                        .doesNotHaveBean("leaderHealthGroups")
                        .doesNotHaveBean("leaseInfoContributor"));
    }

    @Test
    void withoutTheHealthModuleThereIsNoHealth() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LeaseInfoContributor.class)
                        .doesNotHaveBean("leaseLeaderHealthIndicator")
                        .doesNotHaveBean("leaderHealthGroups"));
    }

    @Test
    void withoutALeaseThereIsNeither() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaseHealthAutoConfiguration.class,
                        LeaderHealthAutoConfiguration.class,
                        LeaseInfoAutoConfiguration.class))
                .withPropertyValues("management.health.leader.enabled=true")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean("leaseHealthIndicator")
                        .doesNotHaveBean("leaseLeaderHealthIndicator")
                        .doesNotHaveBean("leaderHealthGroups")
                        .doesNotHaveBean(LeaseInfoContributor.class));
    }

    @Test
    void withoutBeingAskedForThereIsNoHealthOfTheLeader() {
        runner.withPropertyValues("management.health.leader.enabled=false")
                .run(context -> assertThat(context)
                        .doesNotHaveBean("leaseLeaderHealthIndicator")
                        .doesNotHaveBean("leaderHealthGroups"));
    }
}
