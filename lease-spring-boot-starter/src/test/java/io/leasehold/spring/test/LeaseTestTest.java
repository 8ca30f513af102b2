package io.leasehold.spring.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.NotHolderException;
import io.leasehold.SurrenderReason;
import io.leasehold.spring.LeadershipLost;
import io.leasehold.spring.Poller;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateFenceException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.test.annotation.DirtiesContext;

@SpringBootTest(
        classes = LeaseTestTest.Application.class,
        properties = {"lease.name=orders", "lease.listeners=poller"})
@LeaseTest
@DirtiesContext
class LeaseTestTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    @Autowired
    private LeaderLease application;

    @Autowired
    private LeaderState state;

    @Autowired
    private SmartLifecycle poller;

    @Autowired
    private Losses losses;

    @BeforeEach
    void forgetLosses() {
        losses.reasons.clear();
    }

    @Test
    void everyTestBeginsAsAStandby() {
        assertThat(application.isHeld()).isFalse();
        assertThat(poller.isRunning()).isFalse();
    }

    @Test
    void whatIsGrantedLeadsWithItsListenersStarted(TestLease lease) {
        assertThat(lease.grant()).isSameAs(application);
        assertThat(application.isHeld()).isTrue();
        assertThat(poller.isRunning()).isTrue();

        state.commit("a", "1");
        assertThat(lease.stateStore().snapshot()).containsEntry("a", "1");
    }

    @Test
    void whatIsRevokedHasStopped(TestLease lease) {
        lease.grant();
        lease.revoke();

        assertThat(application.isHeld()).isFalse();
        assertThat(poller.isRunning()).isFalse();
        assertThat(losses.reasons).containsExactly(SurrenderReason.SUPERSEDED);
        assertThatExceptionOfType(NotHolderException.class).isThrownBy(() -> state.commit("a", "2"));
    }

    @Test
    void whatIsFrozenSurrendersByItself(TestLease lease) {
        lease.grant();
        lease.freeze();
        assertThat(application.isHeld()).isTrue();

        await().atMost(LONG).until(() -> !application.isHeld());
        await().atMost(LONG).until(() -> !poller.isRunning());
        assertThat(losses.reasons).containsExactly(SurrenderReason.UNCONFIRMED);
        assertThat(application.status().reachable()).isFalse();
    }

    @Test
    void aFreezeThatIsShortEndsNothing(TestLease lease) {
        long epoch = lease.grant().requireEpoch();
        lease.freeze();
        await().atMost(LONG).until(() -> !application.status().reachable());
        lease.thaw();
        await().atMost(LONG).until(() -> application.status().reachable());
        assertThat(application.requireEpoch()).isEqualTo(epoch);
    }

    @Test
    void whatIsFencedIsDemotedAtItsNextCommit(TestLease lease) {
        lease.grant();
        lease.fence();

        assertThatExceptionOfType(StateFenceException.class).isThrownBy(() -> state.commit("a", "3"));
        await().atMost(LONG).until(() -> !application.isHeld() && !poller.isRunning());
        assertThat(losses.reasons).containsExactly(SurrenderReason.FENCED);
    }

    @Test
    void epochsRiseFromTermToTerm(TestLease lease) {
        long first = lease.grant().requireEpoch();
        lease.revoke();
        assertThat(lease.grant().requireEpoch()).isGreaterThan(first + 1);
    }

    static final class Losses {
        private final List<SurrenderReason> reasons = new CopyOnWriteArrayList<>();

        @EventListener
        void on(LeadershipLost event) {
            reasons.add(event.reason());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(LeaseAutoConfiguration.class)
    static class Application {

        @Bean
        Losses losses() {
            return new Losses();
        }

        @Bean
        SmartLifecycle poller() {
            return new Poller();
        }
    }
}
