package io.leasehold.redis;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.io.Closeable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that stop, forget, or are succeeded by a replica that lacks the last writes. */
@Tag("servers")
@Timeout(120)
class RedisOutagesTest {
    private static final Duration TTL = Duration.ofSeconds(3);
    private static final Duration CALL = Duration.ofMillis(300);

    private final RedisServer server = new RedisServer();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        server.close();
    }

    private RedisConnections connections() {
        RedisConnections connections = server.connections();
        opened.add(connections);
        return connections;
    }

    private RedisLeaseStore store(Duration timeout) {
        return new RedisLeaseStore(connections(), "orders", new RedisStoreOptions("lease:", timeout));
    }

    private LeaderLease contender(String prefix, @Nullable StateStore state) {
        return contender(prefix, TTL, state);
    }

    private LeaderLease contender(String prefix, Duration ttl, @Nullable StateStore state) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .holderPrefix(prefix)
                .ttl(ttl)
                .drainTimeout(Duration.ZERO)
                .build();
        LeaderLease lease = new LeaderLease(settings, store(CALL), state);
        opened.add(lease);
        lease.start();
        return lease;
    }

    private static void awaitHeld(LeaderLease lease) {
        await().atMost(TTL.multipliedBy(5)).until(lease::isHeld);
    }

    private static void staysHeld(LeaderLease lease, long epoch) {
        await().during(TTL.multipliedBy(3).dividedBy(2))
                .atMost(TTL.multipliedBy(3))
                .until(() -> lease.current().map(term -> term.epoch() == epoch).orElse(false));
    }

    /** With time for the connection to be made. */
    private static LeaseSnapshot firstLook(RedisLeaseStore store) {
        return await().ignoreExceptions().until(store::read, Objects::nonNull);
    }

    private String stats() {
        return server.command("INFO", "commandstats");
    }

    @Test
    void aCommandThatWasNotSentDuringAnOutageIsNotSentAfterIt() throws Exception {
        RedisLeaseStore store = store(CALL);
        LeaseSnapshot free = firstLook(store);
        server.close();
        assertThatThrownBy(() -> store.replace(free, claim("a", 1))).isInstanceOf(LeaseStoreException.class);
        server.start();
        await().ignoreExceptions().until(() -> store.read().equals(free));
        assertThat(stats()).contains("cmdstat_hmget").doesNotContain("cmdstat_eval");
    }

    @Test
    void aWriteThatAServerExecutesLateFailsOnItsCondition() throws Exception {
        RedisLeaseStore store = store(CALL);
        LeaseRecord record = claim("a", 1);
        assertThat(store.replace(firstLook(store), record)).isEqualTo(WriteOutcome.CONFIRMED);
        LeaseSnapshot own = store.read();
        server.pause();
        for (int late = 1; late <= 3; late++) {
            LeaseRecord next = record.renewed(late, record.ttl(), record.expiresAt());
            assertThatThrownBy(() -> store.replace(own, next))
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("may or may not have been written")
                    .hasMessageContaining("no answer came within");
        }
        server.resume();
        await().until(() -> stats().contains("cmdstat_evalsha:calls=2"));
        await().ignoreExceptions().until(() -> store.read().record() != null);
        assertThat(Objects.requireNonNull(store.read().record()).sequence())
                .as("of three writes on one condition the first counts")
                .isEqualTo(1);
    }

    @Test
    void whereAServerAnswersNothingEveryCallEndsInItsTime() {
        RedisLeaseStore connected = store(CALL);
        RedisLeaseStore unconnected = store(CALL);
        RedisStateStore state = new RedisStateStore(connections(), "orders", new RedisStoreOptions("lease:", CALL));
        assertThat(firstLook(connected).epoch()).isZero();
        StateSession session = await().ignoreExceptions().until(() -> state.open(1, "a", "lease"), Objects::nonNull);
        server.pause();
        try {
            endsInItsTime(() -> assertThatThrownBy(connected::read).isInstanceOf(LeaseStoreException.class));
            endsInItsTime(() -> assertThatThrownBy(unconnected::read).isInstanceOf(LeaseStoreException.class));
            endsInItsTime(() ->
                    assertThatThrownBy(() -> unconnected.watch(() -> {})).isInstanceOf(IllegalStateException.class));
            endsInItsTime(() -> assertThatThrownBy(() -> session.write(Map.of("a", "b")))
                    .isExactlyInstanceOf(StateStoreException.class));
        } finally {
            server.resume();
        }
    }

    private static void endsInItsTime(Runnable call) {
        long begunNs = System.nanoTime();
        call.run();
        assertThat(Duration.ofNanos(System.nanoTime() - begunNs)).isLessThan(CALL.multipliedBy(4));
    }

    @Test
    void renewalsGoOnInEachTermAfterAPauseOfTheServer() {
        MemoryStateStore state = new MemoryStateStore();
        LeaderLease a = contender("a", state);
        for (long epoch = 1; epoch <= 2; epoch++) {
            awaitHeld(a);
            server.pause();
            await().pollDelay(TTL.dividedBy(6)).until(() -> true);
            server.resume();
            staysHeld(a, epoch);
            server.pause();
            await().atMost(TTL.multipliedBy(2)).until(() -> !a.isHeld());
            server.resume();
        }
        awaitHeld(a);
        assertThat(a.requireEpoch()).isEqualTo(3);
    }

    @Test
    void aHolderWritesItsTermAgainWhereAServerForgotItForAShortTime() {
        MemoryStateStore state = new MemoryStateStore();
        LeaderLease a = contender("a", state);
        awaitHeld(a);
        LeaderLease b = contender("b", state);
        server.close();
        await().pollDelay(TTL.dividedBy(6)).until(() -> true);
        server.start();
        staysHeld(a, 1);
        assertThat(b.isHeld()).isFalse();
        assertThat(server.command("HGET", "lease:{orders}:lease", "epoch")).isEqualTo("1");
        a.close();
        awaitHeld(b);
        assertThat(b.requireEpoch()).isEqualTo(2);
    }

    @Test
    void aTermThatEndedIsNeverWrittenAgainWhereAServerForgotItForLong() {
        MemoryStateStore state = new MemoryStateStore();
        LeaderLease a = contender("a", state);
        awaitHeld(a);
        LeaderLease b = contender("b", state);
        server.close();
        await().atMost(TTL.multipliedBy(2)).until(() -> !a.isHeld());
        await().pollDelay(TTL.multipliedBy(2)).until(() -> true);
        server.start();
        await().atMost(TTL.multipliedBy(5)).until(() -> a.isHeld() || b.isHeld());
        LeaderLease next = a.isHeld() ? a : b;
        staysHeld(next, 2);
        assertThat(server.command("HGET", "lease:{orders}:lease", "epoch")).isEqualTo("2");
    }

    @Test
    void afterAFlushTheHolderGoesOnAndOnesThatRememberWait() {
        MemoryStateStore state = new MemoryStateStore();
        LeaderLease a = contender("a", state);
        awaitHeld(a);
        LeaderLease b = contender("b", state);
        server.command("FLUSHALL");
        LeaderLease fresh = contender("fresh", state);
        staysHeld(a, 1);
        assertThat(b.isHeld() || fresh.isHeld()).isFalse();
        a.close();
        await().atMost(TTL.multipliedBy(5)).until(() -> b.isHeld() || fresh.isHeld());
        assertThat((b.isHeld() ? b : fresh).requireEpoch()).isEqualTo(2);
    }

    @Test
    void afterAFlushOfLeaseAndStateOneWhoRemembersNothingIsRefusedOrSucceedsWithinATtl() {
        LeaderLease a =
                contender("a", new RedisStateStore(connections(), "orders", new RedisStoreOptions("lease:", CALL)));
        awaitHeld(a);
        a.state().commit("orders", "17");
        server.command("FLUSHALL");
        LeaderLease fresh =
                contender("fresh", new RedisStateStore(connections(), "orders", new RedisStoreOptions("lease:", CALL)));
        await().atMost(TTL.multipliedBy(3)).until(() -> a.isHeld() != fresh.isHeld());
        await().during(TTL).atMost(TTL.multipliedBy(3)).until(() -> a.isHeld() != fresh.isHeld());
    }

    @Test
    void aFailoverThatLosesATermGivesItsEpochToNobodyElse() {
        MemoryStateStore state = new MemoryStateStore();
        try (RedisServer replica = new RedisServer()) {
            replica.start("--replicaof", "127.0.0.1 " + server.port());
            LeaderLease a = contender("a", state);
            awaitHeld(a);
            await().until(() ->
                    replica.command("HGET", "lease:{orders}:lease", "epoch").equals("1"));
            replica.command("REPLICAOF", "NO", "ONE");
            LeaderLease b = contender("b", state);
            a.close();
            awaitHeld(b);
            b.state().commit("orders", "of epoch 2");
            server.close();
            replica.command("CONFIG", "SET", "port", Integer.toString(server.port()));
            staysHeld(b, 2);
            assertThat(server.command("HGET", "lease:{orders}:lease", "epoch")).isEqualTo("2");
            server.command("HSET", "lease:{orders}:lease", "epoch", "1");
            server.command("DEL", "lease:{orders}:lease");
            LeaderLease fresh = contender("fresh", state);
            b.close();
            awaitHeld(fresh);
            assertThat(fresh.requireEpoch()).isEqualTo(3);
            assertThat(fresh.state().get("orders")).contains("of epoch 2");
        }
    }

    @Test
    void anInterruptedCallKeepsTheFlagAndLaterCallsWork() throws Exception {
        RedisLeaseStore store = store(TTL);
        RedisStateStore state = new RedisStateStore(connections(), "orders", new RedisStoreOptions("lease:", TTL));
        StateSession session = state.open(1, "a", "lease");
        LeaseSnapshot free = store.read();
        interrupted(() -> assertThatThrownBy(store::read).isInstanceOf(LeaseStoreException.class));
        interrupted(() ->
                assertThatThrownBy(() -> store.replace(free, claim("a", 1))).isInstanceOf(LeaseStoreException.class));
        interrupted(() -> assertThatThrownBy(() -> session.write(Map.of("a", "1")))
                .isExactlyInstanceOf(StateStoreException.class));
        interrupted(() -> assertThatThrownBy(() -> store.watch(() -> {})).isInstanceOf(IllegalStateException.class));
        LeaseRecord record = claim("a", 1);
        assertThat(store.replace(free, record)).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(store.replace(store.read(), renewed(record))).isEqualTo(WriteOutcome.CONFIRMED);
        session.write(Map.of("a", "2"));
        assertThat(state.snapshot()).isEqualTo(Map.of("a", "2"));
    }

    private static void interrupted(Runnable call) {
        Thread.currentThread().interrupt();
        try {
            call.run();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void aWatchIsToldOfEveryWriteAndOfEachNewConnection() throws Exception {
        RedisLeaseStore watched = store(TTL);
        RedisLeaseStore writing = store(TTL);
        AtomicInteger notices = new AtomicInteger();
        Closeable watch = watched.watch(notices::incrementAndGet);
        await().until(() -> notices.get() == 1);
        LeaseRecord record = claim("a", 1);
        assertThat(writing.replace(writing.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        await().until(() -> notices.get() == 2);
        server.close();
        server.start();
        await().atMost(Duration.ofSeconds(20)).until(() -> notices.get() == 3);
        assertThat(writing.replace(writing.read(), renewed(record))).isEqualTo(WriteOutcome.CONFIRMED);
        await().until(() -> notices.get() == 4);
        watch.close();
        watch.close();
        await().until(() -> server.command("PUBSUB", "NUMPAT").equals(":0")
                && server.command("CLIENT", "LIST", "TYPE", "pubsub").isBlank());
        assertThat(writing.replace(writing.read(), claim("b", 2))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(notices).hasValue(4);
    }

    @Test
    void aRenewIsOneReadAndOneScript() throws Exception {
        RedisLeaseStore store = store(TTL);
        LeaseRecord record = claim("a", 1);
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        server.command("CONFIG", "RESETSTAT");
        assertThat(store.replace(store.read(), renewed(record))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(stats()).contains("cmdstat_hmget:calls=1,", "cmdstat_evalsha:calls=1,");
        assertThat(stats()).doesNotContain("cmdstat_eval:", "cmdstat_hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "state"})
    void connectionsThatAreClosedLeaveNoThread(String what) throws Exception {
        try (RedisConnections connections = server.connections()) {
            if (what.equals("lease")) {
                RedisLeaseStore store = new RedisLeaseStore(connections, "orders", RedisStoreOptions.defaults());
                store.read();
                store.watch(() -> {});
            } else {
                new RedisStateStore(connections, "orders", RedisStoreOptions.defaults()).head();
            }
            await().until(() -> lettuceThreads() > 0);
        }
        await().atMost(Duration.ofSeconds(10)).until(() -> lettuceThreads() == 0);
    }

    private static long lettuceThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lettuce-"))
                .count();
    }

    @Test
    void aReleaseIsTakenOverAtOnce() {
        Duration renewInterval = Duration.ofSeconds(20);
        LeaderLease a = contender("a", renewInterval.multipliedBy(6), null);
        awaitHeld(a);
        LeaderLease b = contender("b", renewInterval.multipliedBy(6), null);
        await().until(() -> b.status().currentHolder() != null);
        await().until(() -> server.command("CLIENT", "LIST", "TYPE", "pubsub")
                        .lines()
                        .filter(client -> client.contains(" sub=1 "))
                        .count()
                == 2);
        a.close();
        await().atMost(renewInterval.dividedBy(2)).until(b::isHeld);
    }
}
