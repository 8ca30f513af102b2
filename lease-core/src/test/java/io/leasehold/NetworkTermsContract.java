package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.faults.FaultProxy;
import io.leasehold.state.StateFenceException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every store on a server promises to its terms while the network loses, delays or drips, or the server cannot be
 * reached. Each such back end runs it through a proxy before a real server, beside a handle that goes to the server directly.
 */
public abstract class NetworkTermsContract extends TermEndsContract {
    private static final Duration CALL = Duration.ofSeconds(1);

    /** For calls that meet no fault, on a machine that is busy with other tests. */
    private static final Duration PATIENT_CALL = Duration.ofSeconds(10);

    private static final Duration TTL = Duration.ofSeconds(3);
    private static final Duration SHORT_TTL = Duration.ofSeconds(2);

    /** Where a process is while it is paused. */
    enum Pause {
        BEFORE_A_READ,
        AFTER_A_READ,
        BEFORE_A_WRITE,
        AFTER_A_WRITE
    }

    FaultProxy proxy;
    Handle direct;
    Handle proxied;

    /** The port of the server on this host. */
    protected abstract int serverPort() throws Exception;

    /** A handle on the one lease of a test, by way of a port; its calls end after the time given. */
    protected abstract Handle newHandle(int port, Duration timeout) throws Exception;

    /** Whether a watch of this store hears of a hand-over. */
    protected boolean tellsOfHandOvers() {
        return true;
    }

    @Override
    protected final Handle newHandle() throws Exception {
        return newHandle(serverPort(), PATIENT_CALL);
    }

    @BeforeEach
    void connect() throws Exception {
        proxy = new FaultProxy(serverPort());
        direct = open();
        proxied = newHandle(proxy.port(), CALL);
    }

    @AfterEach
    void disconnect() throws Exception {
        proxy.heal();
        proxied.close();
        proxy.close();
    }

    static LeaseRecord write(LeaseStore store, LeaseRecord record) throws LeaseStoreException {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    final @Nullable LeaseRecord there() throws LeaseStoreException {
        return direct.leases().read().record();
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
                await().during(SHORT_TTL).until(() -> !lease.isHeld());
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

    @Test
    void aReleaseThatTheWatchSaysNothingOfIsSeenAtTheNextLook() throws Exception {
        Duration renewInterval = Duration.ofMillis(500);
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(TTL.multipliedBy(10))
                .renewInterval(renewInterval)
                .build();
        try (LeaderLease holder = new LeaderLease(settings, direct.leases(), direct.states());
                LeaderLease standby = new LeaderLease(settings, proxied.leases(), proxied.states())) {
            holder.start();
            await().until(holder::isHeld);
            proxy.swallowNotices();
            standby.start();
            await().until(() -> standby.status().epoch() == 1);
            await().during(Duration.ofSeconds(2)).until(() -> holder.isHeld() && !standby.isHeld());
            holder.close();
            await().atMost(renewInterval.multipliedBy(6)).until(standby::isHeld);
            assertThat(proxy.repliesLost() > 0).isEqualTo(tellsOfHandOvers());
        }
    }

    @Test
    void whoRenewsNoMoreIsSucceededAfterItsTtlThoughTheWatchSaysNothingAndNobodyIsCalledThat() throws Exception {
        Duration ttl = SHORT_TTL.multipliedBy(2);
        proxy.swallowNotices();
        AtomicLong begunNs = new AtomicLong();
        write(
                direct.leases(),
                new LeaseRecord("no-pod-of-now", "1", 1, 0, ttl, Instant.now().plus(ttl), false));
        try (LeaderLease standby = contender(proxied, proxied.leases(), ttl)) {
            standby.start();
            await().pollInterval(Duration.ofMillis(250))
                    .during(ttl.multipliedBy(3))
                    .until(() -> {
                        LeaseRecord now = Objects.requireNonNull(there());
                        begunNs.set(System.nanoTime());
                        write(
                                direct.leases(),
                                now.renewed(
                                        now.sequence() + 1, ttl, Instant.now().plus(ttl)));
                        return !standby.isHeld();
                    });
            await().pollInterval(Duration.ofMillis(20)).until(standby::isHeld);
            assertThat(Duration.ofNanos(System.nanoTime() - begunNs.get())).isBetween(ttl, ttl.multipliedBy(2));
            long epoch = standby.requireEpoch();
            assertThat(epoch).isGreaterThan(1);
        }
    }

    @Test
    void anAnswerThatDripsForMoreThanThreeTtlsKeepsNoWorkGoing() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        try (LeaderLease slow = contender(proxied, proxied.leases(), TTL);
                LeaderLease standby = contender(direct, direct.leases(), TTL)) {
            slow.start();
            await().until(slow::isHeld);
            standby.start();
            CompletableFuture<Void> watched = CompletableFuture.runAsync(() -> neverBoth(slow, standby, over));
            proxy.drip(CALL.dividedBy(2));
            await().atMost(TTL.multipliedBy(2)).until(() -> !slow.isHeld());
            await().atMost(TTL.multipliedBy(3)).until(standby::isHeld);
            await().during(TTL.multipliedBy(2)).until(() -> standby.isHeld() && !slow.isHeld());
            proxy.heal();
            standby.close();
            await().atMost(TTL.multipliedBy(4)).until(slow::isHeld);
            assertThat(slow.requireEpoch()).isEqualTo(3);
            over.set(true);
            watched.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void afterAnOutageForAllABacklogIsWorkedOnInAConfirmedNewTermOnly() throws Exception {
        Backlog backlog = new Backlog();
        try (FaultProxy others = new FaultProxy(serverPort());
                Handle other = newHandle(others.port(), CALL);
                LeaderLease leader = contender(proxied, proxied.leases(), SHORT_TTL);
                LeaderLease standby = contender(other, other.leases(), SHORT_TTL)) {
            leader.addListener(backlog);
            standby.addListener(backlog);
            leader.start();
            await().until(() -> backlog.lastDone() > 3);
            standby.start();
            await().until(() -> standby.status().epoch() == 1);
            Lease old = leader.current().orElseThrow();
            proxy.down();
            others.down();
            await().until(() -> !leader.isHeld());
            Map<String, String> left = direct.states().snapshot();
            List<Long> done = backlog.epochs();
            await().during(SHORT_TTL.multipliedBy(3)).until(() -> !leader.isHeld() && !standby.isHeld());
            assertThat(backlog.epochs()).isEqualTo(done).containsOnly(1L);
            assertThat(direct.states().snapshot()).isEqualTo(left);
            proxy.cutNextReply();
            proxy.up();
            await().until(() -> proxy.repliesLost() > 0);
            others.up();
            await().until(() -> backlog.epochs().size() > done.size() + 3);
            assertThat(proxy.repliesLost()).isOne();
            long epoch = Objects.requireNonNull(there()).epoch();
            assertThat(backlog.epochs().subList(done.size(), done.size() + 3)).containsOnly(epoch);
            assertThat(epoch).isGreaterThan(1);
            assertThatThrownBy(() -> old.state().commit("orders", "0")).isInstanceOf(NotHolderException.class);
            String id = Objects.requireNonNull(direct.leases().read().leaseId());
            assertThatThrownBy(() -> direct.states().open(1, leader.status().holder(), id))
                    .isInstanceOf(StateFenceException.class);
            assertThat(backlog.failure()).isNull();
        }
    }
}
