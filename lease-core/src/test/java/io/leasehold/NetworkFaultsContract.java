package io.leasehold;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.released;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What each call of a store on a server promises while replies are lost and requests arrive late, and with it every term. */
public abstract class NetworkFaultsContract extends NetworkTermsContract {
    private static final String LEASE = "lease-1";

    @Test
    @EnabledIfSystemProperty(named = "leasehold.figures", matches = "true")
    void figures() throws Exception {
        Duration patient = Duration.ofSeconds(2);
        try (Handle first = newHandle(serverPort(), patient);
                Handle second = newHandle(serverPort(), patient)) {
            StoreFigures.print(getClass().getSimpleName(), first, second);
        }
    }

    /** Runs a call whose request waits in the proxy, and returns what the caller was told. */
    private Throwable delayed(ThrowingCallable call) throws Exception {
        proxy.holdRequests();
        CompletableFuture<Throwable> told = CompletableFuture.supplyAsync(() -> catchThrowable(call));
        await().until(proxy::holdsRequests);
        return told.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aClaimWhoseReplyIsLostIsFoundAndConfirmed() throws Exception {
        LeaseSnapshot free = proxied.leases().read();
        proxy.cutNextReply();
        LeaseRecord record = claim("a", 1);
        assertThat(proxied.leases().replace(free, record)).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(proxy.repliesLost()).isOne();
        assertThat(there()).isEqualTo(record);
    }

    @Test
    void aRenewWhoseReplyIsLostIsFoundAndConfirmed() throws Exception {
        LeaseRecord record = write(proxied.leases(), claim("a", 1));
        LeaseSnapshot own = proxied.leases().read();
        proxy.cutNextReply();
        assertThat(proxied.leases().replace(own, renewed(record))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(proxy.repliesLost()).isOne();
        assertThat(there()).isEqualTo(renewed(record));
    }

    @Test
    void aReleaseWhoseReplyIsLostIsFoundAndConfirmed() throws Exception {
        LeaseRecord record = write(proxied.leases(), claim("a", 1));
        LeaseSnapshot own = proxied.leases().read();
        proxy.cutNextReply();
        assertThat(proxied.leases().replace(own, released(record))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(proxy.repliesLost()).isOne();
        assertThat(Objects.requireNonNull(there()).released()).isTrue();
    }

    @Test
    void aRenewAfterOneOfUnknownOutcomeIsConfirmed() throws Exception {
        LeaseRecord record = write(proxied.leases(), claim("a", 1));
        LeaseSnapshot own = proxied.leases().read();
        proxy.swallowReplies();
        LeaseRecord unknown = renewed(record);
        assertThatThrownBy(() -> proxied.leases().replace(own, unknown)).isInstanceOf(LeaseStoreException.class);
        assertThat(proxy.repliesLost()).isPositive();
        proxy.heal();
        await().ignoreExceptions()
                .until(() -> proxied.leases().replace(own, renewed(unknown)) == WriteOutcome.CONFIRMED);
        assertThat(there()).isEqualTo(renewed(unknown));
    }

    @Test
    void aCommitWhoseReplyIsLostIsSettledByTheNextOne() throws Exception {
        StateSession session = proxied.states().open(1, "a", LEASE);
        session.write(Map.of("orders", "1"));
        proxy.cutNextReply();
        Throwable told = catchThrowable(() -> session.write(Map.of("orders", "2")));
        assertThat(told)
                .satisfiesAnyOf(
                        e -> assertThat(e).isNull(), e -> assertThat(e).isExactlyInstanceOf(StateStoreException.class));
        assertThat(proxy.repliesLost()).isOne();
        await().ignoreExceptionsInstanceOf(StateStoreException.class)
                .untilAsserted(() -> session.write(Map.of("orders", "3")));
        assertThat(direct.states().snapshot()).isEqualTo(Map.of("orders", "3"));
    }

    @Test
    void anOpenWhoseReplyIsLostIsRepeated() throws Exception {
        direct.states().open(1, "b", LEASE).write(Map.of("orders", "1"));
        assertThat(proxied.states().head().epoch()).isOne();
        proxy.cutNextReply();
        await().ignoreExceptionsInstanceOf(StateStoreException.class)
                .untilAsserted(
                        () -> assertThat(proxied.states().open(2, "a", LEASE).entries())
                                .isEqualTo(Map.of("orders", "1")));
        assertThat(proxy.repliesLost()).isOne();
        assertThat(direct.states().head().epoch()).isEqualTo(2);
    }

    @Test
    void aRenewThatArrivesLateChangesNothing() throws Exception {
        LeaseRecord record = write(proxied.leases(), claim("a", 1));
        LeaseSnapshot own = proxied.leases().read();
        LeaseRecord late = renewed(record);
        assertThat(delayed(() -> proxied.leases().replace(own, late))).isInstanceOf(LeaseStoreException.class);
        LeaseRecord later = write(direct.leases(), renewed(late));
        proxy.deliver();
        assertUnchanged(later);
    }

    @Test
    void aClaimThatArrivesLateTakesNothing() throws Exception {
        LeaseRecord record = write(direct.leases(), claim("a", 1));
        LeaseSnapshot observed = proxied.leases().read();
        assertThat(delayed(() -> proxied.leases().replace(observed, claim("b", 2))))
                .isInstanceOf(LeaseStoreException.class);
        LeaseRecord later = write(direct.leases(), renewed(record));
        proxy.deliver();
        assertUnchanged(later);
    }

    @Test
    void aFirstClaimThatArrivesLateTakesNothing() throws Exception {
        LeaseSnapshot free = proxied.leases().read();
        assertThat(delayed(() -> proxied.leases().replace(free, claim("b", 1))))
                .isInstanceOf(LeaseStoreException.class);
        LeaseRecord first = write(direct.leases(), claim("a", 1));
        proxy.deliver();
        assertUnchanged(first);
    }

    @Test
    void aReleaseThatArrivesLateReleasesNobodyElsesLease() throws Exception {
        LeaseRecord record = write(proxied.leases(), claim("a", 1));
        LeaseSnapshot own = proxied.leases().read();
        assertThat(delayed(() -> proxied.leases().replace(own, released(record))))
                .isInstanceOf(LeaseStoreException.class);
        LeaseRecord successors = write(direct.leases(), claim("b", 2));
        proxy.deliver();
        assertUnchanged(successors);
    }

    private void assertUnchanged(LeaseRecord expected) {
        await().during(Duration.ofMillis(300)).atMost(Duration.ofSeconds(5)).until(() -> expected.equals(there()));
    }

    @Test
    void aCommitThatArrivesLateReplacesNoLaterOne() throws Exception {
        StateSession session = proxied.states().open(1, "a", LEASE);
        session.write(Map.of("orders", "1"));
        assertThat(delayed(() -> session.write(Map.of("orders", "2")))).isExactlyInstanceOf(StateStoreException.class);
        direct.states().open(1, "a", LEASE).write(Map.of("orders", "3"));
        proxy.deliver();
        assertUnchanged(Map.of("orders", "3"), 1);
    }

    @Test
    void aCommitThatArrivesAfterItsSuccessorOpenedTheStateChangesNothing() throws Exception {
        StateSession session = proxied.states().open(1, "a", LEASE);
        session.write(Map.of("orders", "1"));
        assertThat(delayed(() -> session.write(Map.of("orders", "2")))).isExactlyInstanceOf(StateStoreException.class);
        assertThat(direct.states().open(2, "b", LEASE).entries()).isEqualTo(Map.of("orders", "1"));
        proxy.heal();
        assertUnchanged(Map.of("orders", "1"), 2);
        await().ignoreExceptionsMatching(e -> !(e instanceof StateFenceException))
                .untilAsserted(() -> assertThatThrownBy(() -> session.write(Map.of("orders", "2")))
                        .isInstanceOf(StateFenceException.class));
    }

    @Test
    void anOpenThatArrivesLateSealsNothing() throws Exception {
        direct.states().open(1, "a", LEASE).write(Map.of("orders", "1"));
        assertThat(proxied.states().head().epoch()).isOne();
        assertThat(delayed(() -> proxied.states().open(2, "b", LEASE))).isInstanceOf(StateStoreException.class);
        StateSession third = direct.states().open(3, "c", LEASE);
        proxy.deliver();
        assertUnchanged(Map.of("orders", "1"), 3);
        third.write(Map.of("orders", "2"));
        assertThat(direct.states().snapshot()).isEqualTo(Map.of("orders", "2"));
    }

    private void assertUnchanged(Map<String, String> entries, long epoch) {
        await().during(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(5))
                .until(() -> direct.states().snapshot().equals(entries)
                        && direct.states().head().epoch() == epoch);
    }

    @Test
    void anAnswerThatDripsEndsTheCallInItsTime() throws Exception {
        write(direct.leases(), claim("a", 1));
        StateSession session = proxied.states().open(1, "a", LEASE);
        assertThat(proxied.leases().read().epoch()).isOne();
        proxy.drip(Duration.ofMillis(500));
        CompletableFuture<Throwable> read = CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> proxied.leases().read()));
        CompletableFuture<Throwable> commit =
                CompletableFuture.supplyAsync(() -> catchThrowable(() -> session.write(Map.of("orders", "1"))));
        assertThat(read.get(6, TimeUnit.SECONDS)).isInstanceOf(LeaseStoreException.class);
        assertThat(commit.get(6, TimeUnit.SECONDS)).isExactlyInstanceOf(StateStoreException.class);
        proxy.heal();
        await().ignoreExceptions().until(() -> proxied.leases().read().epoch() == 1);
        await().ignoreExceptionsInstanceOf(StateStoreException.class)
                .untilAsserted(() -> session.write(Map.of("orders", "2")));
        assertThat(direct.states().snapshot()).isEqualTo(Map.of("orders", "2"));
    }
}
