package io.leasehold;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.released;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.faults.FaultProxy;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every store on a server promises while replies are lost, requests arrive late and the server cannot be reached. Each
 * such back end runs it through a proxy before a real server, beside a handle that goes to the server directly.
 */
public abstract class NetworkFaultsContract {
    private static final String LEASE = "lease-1";
    private static final Duration CALL = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(3);
    private static final Duration SHORT_TTL = Duration.ofSeconds(2);

    /** One process's stores for the lease of a test and its state, with whatever connections they keep. */
    public interface Handle extends AutoCloseable {
        LeaseStore leases();

        StateStore states();

        @Override
        void close() throws Exception;
    }

    /** Where a process is while it is paused. */
    enum Pause {
        BEFORE_A_READ,
        AFTER_A_READ,
        BEFORE_A_WRITE,
        AFTER_A_WRITE
    }

    private FaultProxy proxy;
    private Handle direct;
    private Handle proxied;

    /** The port of the server on this host. */
    protected abstract int serverPort() throws Exception;

    /** A handle on the one lease of a test, by way of a port; its calls end after the time given. */
    protected abstract Handle newHandle(int port, Duration timeout) throws Exception;

    @BeforeEach
    void connect() throws Exception {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        proxy = new FaultProxy(serverPort());
        direct = newHandle(serverPort(), CALL);
        proxied = newHandle(proxy.port(), CALL);
        direct.leases().initialize();
    }

    @AfterEach
    void disconnect() throws Exception {
        Awaitility.reset();
        proxy.heal();
        proxied.close();
        direct.close();
        proxy.close();
    }

    @Test
    @EnabledIfSystemProperty(named = "leasehold.figures", matches = "true")
    void figures() throws Exception {
        Duration patient = Duration.ofSeconds(2);
        try (Handle first = newHandle(serverPort(), patient);
                Handle second = newHandle(serverPort(), patient)) {
            StoreFigures.print(getClass().getSimpleName(), first, second);
        }
    }

    private static LeaseRecord write(LeaseStore store, LeaseRecord record) throws LeaseStoreException {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    private @Nullable LeaseRecord there() throws LeaseStoreException {
        return direct.leases().read().record();
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

    private static LeaderLease contender(Handle handle, LeaseStore leases, Duration ttl) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(ttl)
                .drainTimeout(Duration.ZERO)
                .build();
        return new LeaderLease(settings, leases, handle.states());
    }

    /** Fails when two contenders are seen to hold at once; the first is asked before and after the second. */
    private static void neverBoth(LeaderLease first, LeaderLease second, AtomicBoolean over) {
        while (!over.get()) {
            if (first.isHeld() && second.isHeld() && first.isHeld()) {
                throw new AssertionError("two holders: " + first.status() + ", " + second.status());
            }
            LockSupport.parkNanos(100_000);
        }
    }

    @Test
    void theWorkIsStoppedByTheDeadlineWhileEveryCallHangsForThreeTtls() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (LeaderLease cutOff = contender(proxied, proxied.leases(), TTL);
                LeaderLease standby = contender(direct, direct.leases(), TTL)) {
            cutOff.start();
            await().until(cutOff::isHeld);
            standby.start();
            CompletableFuture<Void> watched = CompletableFuture.runAsync(() -> neverBoth(cutOff, standby, over));
            proxy.holdRequests();
            proxy.swallowReplies();
            await().until(() -> !cutOff.isHeld());
            await().atMost(TTL.multipliedBy(3)).until(standby::isHeld);
            long epoch = standby.requireEpoch();
            assertThat(epoch).isGreaterThan(1);
            await().during(TTL).atMost(TTL.multipliedBy(2)).until(() -> standby.isHeld() && !cutOff.isHeld());
            proxy.heal();
            standby.close();
            await().atMost(TTL.multipliedBy(4)).until(cutOff::isHeld);
            assertThat(cutOff.requireEpoch()).isGreaterThan(epoch);
            over.set(true);
            watched.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void aServerThatIsDownForTwoTtlsFiveTimesIsLedFromAgainWithoutARestart() throws Exception {
        try (LeaderLease lease = contender(proxied, proxied.leases(), SHORT_TTL)) {
            lease.start();
            await().until(lease::isHeld);
            long epoch = lease.requireEpoch();
            for (int outage = 0; outage < 5; outage++) {
                proxy.down();
                await().atMost(SHORT_TTL.multipliedBy(2)).until(() -> !lease.isHeld());
                await().during(SHORT_TTL).atMost(SHORT_TTL.multipliedBy(2)).until(() -> !lease.isHeld());
                proxy.up();
                await().atMost(SHORT_TTL.multipliedBy(6)).until(lease::isHeld);
                assertThat(lease.requireEpoch()).isGreaterThan(epoch);
                epoch = lease.requireEpoch();
                String committed = Long.toString(epoch);
                await().ignoreExceptions().untilAsserted(() -> lease.state().commit("epoch", committed));
            }
            assertThat(direct.states().snapshot()).containsEntry("epoch", Long.toString(epoch));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHolderPausedPastItsTtlInTheMiddleOfACallOverwritesNothing(Pause pause) throws Exception {
        HookedLeaseStore hooked = new HookedLeaseStore(proxied.leases());
        AtomicBoolean over = new AtomicBoolean();
        try (LeaderLease paused = contender(proxied, hooked, SHORT_TTL);
                LeaderLease standby = contender(direct, direct.leases(), SHORT_TTL);
                Gate gate = new Gate()) {
            paused.start();
            await().until(paused::isHeld);
            standby.start();
            CompletableFuture<Void> watched = CompletableFuture.runAsync(() -> neverBoth(paused, standby, over));
            switch (pause) {
                case BEFORE_A_READ -> hooked.beforeRead = gate::pass;
                case AFTER_A_READ -> hooked.afterRead = gate::pass;
                case BEFORE_A_WRITE -> hooked.beforeWrite = gate::pass;
                case AFTER_A_WRITE -> hooked.afterWrite = gate::pass;
            }
            gate.awaitReached();
            await().atMost(SHORT_TTL.multipliedBy(4)).until(standby::isHeld);
            assertThat(paused.isHeld()).isFalse();
            standby.state().commit("orders", "2");
            LeaseRecord successors = Objects.requireNonNull(there());
            gate.open();
            await().until(() -> paused.status().phase() == LeasePhase.STANDBY);
            await().during(SHORT_TTL.dividedBy(2)).until(() -> successors.sameClaim(Objects.requireNonNull(there())));
            assertThat(standby.isHeld()).isTrue();
            assertThat(direct.states().snapshot()).isEqualTo(Map.of("orders", "2"));
            over.set(true);
            watched.get(10, TimeUnit.SECONDS);
        }
    }
}
