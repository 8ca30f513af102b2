package io.leasehold.jdbc;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.released;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.faults.FaultProxy;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.WriteOutcome;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("servers")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PostgresWatchTest {
    private static final Duration QUIET = Duration.ofMillis(300);

    private final String name = TestDatabase.newName();
    private final AtomicInteger notices = new AtomicInteger();
    private FaultProxy proxy;
    private HikariDataSource pool;
    private JdbcLeaseStore holder;
    private JdbcLeaseStore standby;

    @BeforeEach
    void connect() throws Exception {
        TestDatabase.POSTGRESQL.pool();
        proxy = new FaultProxy(PostgresServer.port());
        pool = TestDatabase.POSTGRESQL.newPool(config -> {
            config.setJdbcUrl(PostgresServer.url(proxy.port()));
            config.setConnectionTimeout(500);
            config.setInitializationFailTimeout(-1);
        });
        holder = open(TestDatabase.POSTGRESQL.pool(), true);
        standby = open(pool, true);
    }

    private JdbcLeaseStore open(HikariDataSource dataSource, boolean withNotices) {
        return JdbcLeaseStore.open(
                dataSource, name, new JdbcStoreOptions("lease", "lease_state", Duration.ofSeconds(1), withNotices));
    }

    @AfterEach
    void disconnect() throws Exception {
        holder.close();
        standby.close();
        pool.close();
        proxy.close();
    }

    private static LeaseRecord write(JdbcLeaseStore store, LeaseRecord record) throws Exception {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    /** A watch whose first notice, that it listens, has come. */
    private static Closeable listening(JdbcLeaseStore store, AtomicInteger count) {
        Closeable watch = store.watch(count::incrementAndGet);
        await().until(() -> count.get() == 1);
        return watch;
    }

    private static long watchThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("lease-jdbc-watch"))
                .count();
    }

    @Test
    void claimsAndReleasesAreToldAndRenewsAreNot() throws Exception {
        try (Closeable own = listening(holder, new AtomicInteger());
                Closeable watch = listening(standby, notices)) {
            LeaseRecord claimed = write(holder, claim("a", 1));
            await().until(() -> notices.get() == 2);
            LeaseRecord kept = write(holder, renewed(claimed));
            await().during(QUIET).until(() -> notices.get() == 2);
            write(holder, released(kept));
            await().until(() -> notices.get() == 3);
        }
    }

    @Test
    void aRefusedWriteIsNotTold() throws Exception {
        try (Closeable own = listening(holder, new AtomicInteger());
                Closeable watch = listening(standby, notices)) {
            write(holder, claim("a", 5));
            await().until(() -> notices.get() == 2);
            assertThat(holder.replace(standby.read(), claim("b", 5))).isEqualTo(WriteOutcome.SUPERSEDED);
            await().during(QUIET).until(() -> notices.get() == 2);
        }
    }

    @Test
    void anotherLeaseIsNotTold() throws Exception {
        JdbcLeaseStore other =
                JdbcLeaseStore.open(TestDatabase.POSTGRESQL.pool(), TestDatabase.newName(), JdbcStoreOptions.DEFAULTS);
        try (other;
                Closeable others = listening(other, new AtomicInteger());
                Closeable watch = listening(standby, notices)) {
            write(other, claim("a", 1));
            await().during(QUIET).until(() -> notices.get() == 1);
        }
    }

    @Test
    void noticesComeAgainAfterAnOutage() throws Exception {
        try (Closeable own = listening(holder, new AtomicInteger());
                Closeable watch = listening(standby, notices)) {
            proxy.down();
            LeaseRecord claimed = write(holder, claim("a", 1));
            await().during(QUIET).until(() -> notices.get() == 1);
            proxy.up();
            await().until(() -> notices.get() == 2);
            write(holder, released(claimed));
            await().until(() -> notices.get() == 3);
        }
    }

    @Test
    void askingForAWatchDoesNotWaitForAServerThatIsDown() throws Exception {
        proxy.down();
        Closeable watch = standby.watch(notices::incrementAndGet);
        assertThat(notices).hasValue(0);
        proxy.up();
        await().until(() -> notices.get() == 1);
        watch.close();
    }

    @Test
    void aClosedWatchLeavesNoThreadAndAConnectionThatListensToNothing() throws Exception {
        await().until(() -> watchThreads() == 0);
        Closeable watch = listening(standby, notices);
        assertThat(watchThreads()).isOne();
        watch.close();
        await().until(() -> watchThreads() == 0);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        try (var connection = pool.getConnection();
                var result = connection.createStatement().executeQuery("select pg_listening_channels()")) {
            assertThat(result.next()).isFalse();
        }
    }

    @Test
    void withoutNoticesThereIsNoThread() throws Exception {
        await().until(() -> watchThreads() == 0);
        try (JdbcLeaseStore quiet = open(pool, false);
                Closeable watch = quiet.watch(notices::incrementAndGet)) {
            assertThat(watchThreads()).isZero();
        }
    }

    @Test
    void anotherDatabaseHasNoNoticesAndTheThreadEnds() throws Exception {
        try (JdbcLeaseStore store =
                        JdbcLeaseStore.open(TestDatabase.H2_MEMORY.pool(), name, JdbcStoreOptions.DEFAULTS);
                Closeable watch = store.watch(notices::incrementAndGet)) {
            await().until(() -> watchThreads() == 0);
            assertThat(notices).hasValue(0);
        }
    }

    @Test
    void aHandOverIsNoticedAtOnce() throws Exception {
        LeaseSettings settings =
                LeaseSettings.builder(name).ttl(Duration.ofMinutes(2)).build();
        // Who does not listen does not tell; who listens late looks once more by itself.
        try (Closeable own = listening(holder, new AtomicInteger());
                LeaderLease first = new LeaderLease(settings, holder, null);
                LeaderLease second = new LeaderLease(settings, standby, null)) {
            first.start();
            await().until(first::isHeld);
            second.start();
            await().until(() -> second.status().currentHolder() != null);
            first.close();
            await().atMost(settings.renewInterval().dividedBy(2)).until(second::isHeld);
        }
    }
}
