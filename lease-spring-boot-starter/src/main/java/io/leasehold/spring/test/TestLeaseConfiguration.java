package io.leasehold.spring.test;

import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Replaces what an application keeps its lease in by a {@link TestLease}, and what it keeps several leases in by {@link
 * TestLeases}. Imported by {@link LeaseTest}; may be imported without JUnit.
 */
@Configuration(proxyBeanMethods = false)
public class TestLeaseConfiguration {

    TestLeaseConfiguration() {}

    @Bean
    TestLeases testLeases(ObjectProvider<LeaderLifecycle> lifecycles) {
        return new TestLeases(lifecycles);
    }

    @Bean
    @Lazy
    TestLease testLease(TestLeases leases) {
        return leases.only();
    }

    @Bean
    @Lazy
    LeaseStore testLeaseStore(TestLease lease) {
        return lease.leaseStore();
    }

    @Bean
    @Lazy
    StateStore testStateStore(TestLease lease) {
        return lease.stateStore();
    }
}
