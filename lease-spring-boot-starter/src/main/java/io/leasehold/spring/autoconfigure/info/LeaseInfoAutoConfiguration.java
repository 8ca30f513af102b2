package io.leasehold.spring.autoconfigure.info;

import io.leasehold.LeaderLease;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.info.LeaseInfoContributor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The lease in the actuator's info, where there is one; {@code management.info.lease.enabled} turns it off. */
@AutoConfiguration(after = LeaseAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBean(LeaderLease.class)
public final class LeaseInfoAutoConfiguration {

    LeaseInfoAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnEnabledInfoContributor("lease")
    LeaseInfoContributor leaseInfoContributor(ObjectProvider<LeaderLease> leases) {
        return new LeaseInfoContributor(leases.stream().toList());
    }
}
