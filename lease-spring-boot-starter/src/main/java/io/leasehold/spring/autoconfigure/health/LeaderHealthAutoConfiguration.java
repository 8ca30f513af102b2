package io.leasehold.spring.autoconfigure.health;

import io.leasehold.LeaderLease;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.health.LeaderHealthGroups;
import io.leasehold.spring.health.LeaderHealthIndicator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The health group {@code leader}, for a load balancer: UP on the holder alone, and no part of the application's own health.
 * Only where {@code management.health.leader.enabled} asks for it.
 */
@AutoConfiguration(
        after = LeaseAutoConfiguration.class,
        beforeName = "org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration")
@ConditionalOnClass({HealthIndicator.class, HealthEndpointGroupsPostProcessor.class, SecurityContext.class})
@ConditionalOnBooleanProperty("management.health.leader.enabled")
@ConditionalOnBean(LeaderLease.class)
public final class LeaderHealthAutoConfiguration {
    private static final String GROUP = "leader";

    /** Not the group's name: Spring Boot wants no two things of one name below the endpoint. */
    private static final String CONTRIBUTOR = "leaseLeader";

    LeaderHealthAutoConfiguration() {}

    /** Of several leases it has one part for each, by its name, and is UP as a whole where all are held. */
    @Bean(CONTRIBUTOR + "HealthIndicator")
    @ConditionalOnMissingBean(value = LeaderHealthIndicator.class, name = CONTRIBUTOR + "HealthIndicator")
    HealthContributor leaderHealthIndicator(ObjectProvider<LeaderLease> leases) {
        return HealthOfLeases.of(
                leases.stream().toList(), lease -> lease.settings().name(), LeaderHealthIndicator::new);
    }

    @Bean
    @ConditionalOnMissingBean(name = "leaderHealthGroups")
    HealthEndpointGroupsPostProcessor leaderHealthGroups() {
        return groups -> new LeaderHealthGroups(groups, GROUP, CONTRIBUTOR);
    }
}
