package io.leasehold.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.LeaderLease;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.annotation.DirtiesContext;

@SpringBootTest(
        classes = SeveralTestLeasesTest.Application.class,
        properties = {"lease.leases.orders.start-attempts=1", "lease.leases.invoices.start-attempts=1"})
@LeaseTest
@DirtiesContext
class SeveralTestLeasesTest {

    @Autowired
    @Qualifier("orders")
    private LeaderLease orders;

    @Autowired
    @Qualifier("invoices")
    private LeaderLease invoices;

    @Test
    void eachOfSeveralLeasesIsGivenAndTakenByItself(TestLeases leases) {
        assertThat(orders.isHeld()).isFalse();
        leases.lease("orders").grant();
        assertThat(orders.isHeld()).isTrue();
        assertThat(invoices.isHeld()).isFalse();

        leases.lease("invoices").grant();
        leases.lease("orders").revoke();
        assertThat(orders.isHeld()).isFalse();
        assertThat(invoices.isHeld()).isTrue();
    }

    @Test
    void aLeaseThatTheApplicationDoesNotHaveIsRefused(TestLeases leases) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> leases.lease("order"))
                .withMessageContaining("order")
                .withMessageContaining("[invoices, orders]");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeaseAutoConfiguration.class)
    static class Application {}
}
