package io.leasehold.jdbc;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the stores take of the application's pool, and how they give it back. */
@Tag("servers")
class DatabasePoolTest {
    private final String name = TestDatabase.newName();

    private static LeaseRecord write(JdbcLeaseStore store, LeaseRecord record) throws LeaseStoreException {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    @Test
    void aPoolThatTheApplicationUsedUpDoesNotKeepTheLeaseFromBeingRenewed() throws Exception {
        try (HikariDataSource pool = TestDatabase.H2_MEMORY.newPool(config -> {
                    config.setMaximumPoolSize(3);
                    config.setConnectionTimeout(250);
                });
                JdbcLeaseStore store = JdbcLeaseStore.open(pool, name, JdbcStoreOptions.DEFAULTS)) {
            LeaseRecord claimed = write(store, claim("a", 1));
            List<Connection> taken = new ArrayList<>(List.of(pool.getConnection(), pool.getConnection()));
            assertThatThrownBy(pool::getConnection).hasMessageContaining("not available");
            write(store, renewed(claimed));
            store.close();
            taken.add(pool.getConnection());
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    @Test
    void aPoolThatIsUsedUpIsNamed() throws Exception {
        assertThat(TestDatabase.H2_MEMORY.pool().isRunning())
                .as("the tables are there")
                .isTrue();
        try (HikariDataSource pool = TestDatabase.H2_MEMORY.newPool(config -> {
                    config.setMaximumPoolSize(1);
                    config.setConnectionTimeout(250);
                    config.setPoolName("small");
                });
                Connection unused = pool.getConnection()) {
            JdbcStateStore states = JdbcStateStore.open(pool, name, JdbcStoreOptions.DEFAULTS);
            assertThatThrownBy(states::head)
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("small - Connection is not available");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionIsGivenBackWithTheTimeOutOfStatementsThatItHad(TestDatabase database) throws Exception {
        assertThat(database.pool().isRunning()).as("the tables are there").isTrue();
        try (HikariDataSource pool = database.newPool(config -> config.setMaximumPoolSize(1))) {
            JdbcStateStore.open(pool, name, JdbcStoreOptions.DEFAULTS).head();
            try (JdbcLeaseStore store = JdbcLeaseStore.open(pool, name, JdbcStoreOptions.DEFAULTS)) {
                assertThat(store.read().epoch()).isZero();
            }
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                assertThat(statement.getQueryTimeout()).isZero();
            }
        }
    }

    @Test
    void aConnectionThatTheServerEndedIsReplaced() throws Exception {
        TestDatabase database = TestDatabase.POSTGRESQL;
        try (HikariDataSource pool = database.newPool(config -> config.addDataSourceProperty("ApplicationName", name));
                JdbcLeaseStore store = JdbcLeaseStore.open(pool, name, JdbcStoreOptions.DEFAULTS)) {
            LeaseRecord claimed = write(store, claim("a", 1));
            database.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = '" + name + "'");
            assertThatThrownBy(store::read).isInstanceOf(LeaseStoreException.class);
            write(store, renewed(claimed));
        }
    }

    @Test
    void aPoolThatIsPatientHoldsUpNoCallAndLosesNoConnection() throws Exception {
        JdbcStoreOptions options = new JdbcStoreOptions("lease", "lease_state", Duration.ofMillis(200), true);
        assertThat(TestDatabase.H2_MEMORY.pool().isRunning())
                .as("the tables are there")
                .isTrue();
        try (HikariDataSource pool = TestDatabase.H2_MEMORY.newPool(config -> {
                    config.setMaximumPoolSize(2);
                    config.setConnectionTimeout(Duration.ofMinutes(1).toMillis());
                });
                JdbcLeaseStore store = JdbcLeaseStore.open(pool, name, options)) {
            JdbcStateStore states = JdbcStateStore.open(pool, name, options);
            try (Connection one = pool.getConnection();
                    Connection other = pool.getConnection()) {
                assertThat(one).isNotSameAs(other);
                assertThatThrownBy(store::read)
                        .isInstanceOf(LeaseStoreException.class)
                        .hasMessageContaining("No connection, or no whole answer, came within twice PT0.2S");
                assertThatThrownBy(states::head).isInstanceOf(StateStoreException.class);
            }
            HikariPoolMXBean taken = pool.getHikariPoolMXBean();
            await().until(() -> taken.getThreadsAwaitingConnection() == 0);
            write(store, claim("a", 1));
            store.close();
            await().until(() -> taken.getActiveConnections() == 0);
        }
    }

    @Test
    void aPoolThatHangsForEverTakesNoMoreThanAFewThreads() throws Exception {
        JdbcStoreOptions options = new JdbcStoreOptions("lease", "lease_state", Duration.ofMillis(10), true);
        AtomicInteger waiting = new AtomicInteger();
        CountDownLatch over = new CountDownLatch(1);
        DataSource hangs = (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    waiting.incrementAndGet();
                    over.await();
                    waiting.decrementAndGet();
                    throw new SQLException("the pool was closed");
                });
        try (JdbcLeaseStore store = JdbcLeaseStore.open(hangs, name, options)) {
            for (int look = 0; look < 20; look++) {
                assertThatThrownBy(store::read).isInstanceOf(LeaseStoreException.class);
            }
            assertThat(waiting).hasValue(4);
            assertThatThrownBy(store::read).hasMessageContaining("4 earlier calls wait for the database");
            over.countDown();
            await().untilAsserted(() -> assertThatThrownBy(store::read).hasMessageContaining("the pool was closed"));
            assertThat(waiting).hasValue(0);
        }
    }
}
