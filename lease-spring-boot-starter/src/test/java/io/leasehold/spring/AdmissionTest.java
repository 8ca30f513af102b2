package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.Lease;
import io.leasehold.memory.MemoryLeaseStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;

/** Work is let in only between the begin of a term's work and the moment when all of it has been seen to end. */
class AdmissionTest {
    private final LeaderLease lease = new LeaderLease(LeaderLifecycleTest.SETTINGS, new MemoryLeaseStore(), null);
    private final GenericApplicationContext context = new GenericApplicationContext();
    private final LeaseListeners listeners = LeaseListeners.all(lease, context, 1);
    private final LeaderCalls calls = listeners.leaderCalls();

    @BeforeEach
    void lead() {
        context.refresh();
        lease.start();
        await().until(lease::isHeld);
    }

    @AfterEach
    void close() {
        lease.close();
        context.close();
    }

    @Test
    void nothingIsLetInBeforeTheWorkOfATermBegins() {
        assertThat(calls.begin()).isFalse();

        listeners.beginTerm(lease.current().orElseThrow());
        assertThat(calls.begin()).isTrue();
    }

    @Test
    void nothingIsLetInOnceAllWorkHasBeenSeenToEnd() {
        Lease term = lease.current().orElseThrow();
        listeners.beginTerm(term);
        listeners.beginStop();
        listeners.awaitStopped(term);

        assertThat(term.isSurrendering()).isFalse();
        assertThat(calls.begin()).isFalse();
        assertThat(calls.inFlight()).isZero();
    }
}
