package io.leasehold.jdbc;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.LeaderLease;
import io.leasehold.LeaseCounts.RenewOutcome;
import io.leasehold.LeaseSettings;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.UnsuitableStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a database may refuse, lose or be set to. */
@Tag("servers")
class DatabaseFailuresTest {
    private static final Duration TTL = Duration.ofMillis(1500);
    private final String name = TestDatabase.newName();
    private final String suffix = name.substring(5).replace('-', '_');
    private final JdbcStoreOptions ownTables =
            new JdbcStoreOptions("l" + suffix, "s" + suffix, Duration.ofSeconds(2), true);

    private JdbcLeaseStore open(TestDatabase database) {
        return JdbcLeaseStore.open(database.pool(), name, JdbcStoreOptions.DEFAULTS);
    }

    private static LeaseRecord write(JdbcLeaseStore store, LeaseRecord record) throws LeaseStoreException {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    @ParameterizedTest
    @CsvSource({"40001,0", "40P01,0", "61000,60", "72000,8177"})
    void aStatementThatLostAgainstAnotherIsTriedAgainAtOnce(String state, int code) throws Exception {
        FailingStatements failing = new FailingStatements(TestDatabase.H2_MEMORY.pool());
        LeaseSettings settings =
                LeaseSettings.builder(name).ttl(TTL.multipliedBy(4)).build();
        try (JdbcLeaseStore store = JdbcLeaseStore.open(failing.dataSource(), name, JdbcStoreOptions.DEFAULTS);
                LeaderLease lease = new LeaderLease(settings, store, null)) {
            failing.failNext(state, code, 2);
            lease.start();
            await().until(lease::isHeld);
            assertThat(failing.left()).isZero();
            failing.failNext(state, code, 3);
            await().until(() -> failing.left() == 0);
            await().during(settings.renewInterval()).until(lease::isHeld);
            failing.failNext(state, code, 2);
            lease.close();
            assertThat(failing.left()).isZero();
            assertThat(lease.counts().renewals()).containsEntry(RenewOutcome.FAILED, 0L);
            assertThat(store.read().record())
                    .isNotNull()
                    .extracting(LeaseRecord::released)
                    .isEqualTo(true);
            assertThat(store.read().epoch()).isOne();
        }
    }

    @Test
    void aStatementThatLosesAgainAndAgainIsNotTriedForEver() throws Exception {
        FailingStatements failing = new FailingStatements(TestDatabase.H2_MEMORY.pool());
        try (JdbcLeaseStore store = JdbcLeaseStore.open(failing.dataSource(), name, JdbcStoreOptions.DEFAULTS)) {
            LeaseSnapshot free = store.read();
            failing.failNext("40001", 0, 9);
            assertThatThrownBy(() -> store.replace(free, claim("a", 1))).isInstanceOf(LeaseStoreException.class);
            assertThat(failing.left()).isEqualTo(5);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aDatabaseThatTakesNoWritesIsToldApartFromALeaseThatAnotherHolds(TestDatabase database) throws Exception {
        String readOnly = database == TestDatabase.POSTGRESQL
                ? "set default_transaction_read_only = on"
                : "set session transaction read only";
        try (HikariDataSource replica = database.newPool(config -> config.setConnectionInitSql(readOnly));
                JdbcLeaseStore store = JdbcLeaseStore.open(replica, name, JdbcStoreOptions.DEFAULTS)) {
            LeaseSnapshot free = store.read();
            assertThatThrownBy(() -> store.replace(free, claim("a", 1)))
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("takes no writes")
                    .hasMessageContaining("says nothing about who holds the lease");
        }
    }

    @Test
    void aHolderStopsByItsDeadlineWhileTheDatabaseIsReadOnlyAndLeadsAgainAfterwards() throws Exception {
        TestDatabase database = TestDatabase.POSTGRESQL;
        LeaseSettings settings =
                LeaseSettings.builder(name).ttl(TTL).drainTimeout(Duration.ZERO).build();
        try (JdbcLeaseStore store = open(database);
                LeaderLease lease = new LeaderLease(
                        settings, store, JdbcStateStore.open(database.pool(), name, JdbcStoreOptions.DEFAULTS))) {
            lease.start();
            await().until(lease::isHeld);
            long epoch = lease.requireEpoch();
            database.execute("alter system set default_transaction_read_only = on", "select pg_reload_conf()");
            try {
                await().atMost(TTL.multipliedBy(2)).until(() -> !lease.isHeld());
                await().during(TTL).atMost(TTL.multipliedBy(2)).until(() -> !lease.isHeld());
                assertThat(lease.status().lastFailure() + lease.status().stateFailure())
                        .contains("takes no writes");
            } finally {
                database.execute(
                        "set default_transaction_read_only = off",
                        "alter system reset default_transaction_read_only",
                        "select pg_reload_conf()",
                        "reset default_transaction_read_only");
            }
            await().atMost(TTL.multipliedBy(6)).until(lease::isHeld);
            assertThat(lease.requireEpoch()).isGreaterThan(epoch);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2_MEMORY"})
    void aTableThatIsCreatedLateIsNamedUntilThenAndUsedFromThen(TestDatabase database) throws Exception {
        try (JdbcLeaseStore store = JdbcLeaseStore.open(database.pool(), name, ownTables)) {
            JdbcStateStore states = JdbcStateStore.open(database.pool(), name, ownTables);
            assertThatThrownBy(store::read)
                    .hasMessageContaining("There is no table l" + suffix)
                    .hasMessageContaining("schema-<database>.sql");
            assertThatThrownBy(store::check).isInstanceOf(UnsuitableStoreException.class);
            assertThatThrownBy(states::check).isInstanceOf(UnsuitableStoreException.class);
            database.execute(database.statements(ownTables.leaseTable(), ownTables.stateTable()));
            store.check();
            states.check();
            write(store, claim("a", 1));
            states.open(1, "a", store.location()).write(Map.of("orders", "17"));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB"})
    void aPermissionThatIsMissingIsNamed(TestDatabase database) throws Exception {
        String user = "u" + suffix.substring(0, 12);
        boolean postgres = database == TestDatabase.POSTGRESQL;
        database.execute(
                postgres ? "create role " + user + " login" : "create user " + user,
                "grant select on lease to " + user);
        try (HikariDataSource pool = database.newPool(config -> config.setUsername(user));
                JdbcLeaseStore store = JdbcLeaseStore.open(pool, name, JdbcStoreOptions.DEFAULTS)) {
            assertThatThrownBy(store::check)
                    .isInstanceOf(UnsuitableStoreException.class)
                    .hasMessageContaining("lacks a permission on table lease");
            assertThatThrownBy(() -> store.replace(store.read(), claim("a", 1)))
                    .hasMessageContaining("Grant it select, insert and update");
        }
    }

    @Test
    void aColumnThatHoldsNoNumberIsReportedAndLeftAlone() throws Exception {
        TestDatabase database = TestDatabase.H2_MEMORY;
        database.execute(
                database.statements(ownTables.leaseTable(), ownTables.stateTable())[0].replace("bigint", "varchar(20)"),
                "insert into " + ownTables.leaseTable()
                        + " (name, epoch, sequence, holder, claim, ttl, expires_at, released) values ('" + name
                        + "', '1.0', '0', 'a', 'b', 'PT30S', '2026-01-01T00:00:00Z', 'false')");
        try (JdbcLeaseStore store = JdbcLeaseStore.open(database.pool(), name, ownTables)) {
            assertThatThrownBy(store::read)
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("has other columns than expected")
                    .hasStackTraceContaining("epoch");
        }
    }

    @Test
    void aRowThatIsDeletedUnderItsHolderIsWrittenAgainAndItsEpochIsNotRepeated() throws Exception {
        TestDatabase database = TestDatabase.H2_MEMORY;
        LeaseSettings settings =
                LeaseSettings.builder(name).ttl(TTL).drainTimeout(Duration.ZERO).build();
        JdbcStateStore states = JdbcStateStore.open(database.pool(), name, JdbcStoreOptions.DEFAULTS);
        try (JdbcLeaseStore store = open(database)) {
            try (LeaderLease lease = new LeaderLease(settings, store, states)) {
                lease.start();
                await().until(lease::isHeld);
                long epoch = lease.requireEpoch();
                database.execute("delete from lease where name = '" + name + "'");
                await().until(() -> store.read().epoch() == epoch);
                await().during(TTL).atMost(TTL.multipliedBy(2)).until(lease::isHeld);
                assertThat(lease.requireEpoch()).isEqualTo(epoch);
            }
            database.execute("delete from lease where name = '" + name + "'");
            try (LeaderLease next = new LeaderLease(settings, store, states)) {
                next.start();
                await().atMost(TTL.multipliedBy(4)).until(next::isHeld);
                assertThat(next.requireEpoch()).isEqualTo(2);
            }
        }
    }

    @Test
    void aLeaseThatWasMovedIsLedOnceTheStateNamesIt() throws Exception {
        TestDatabase database = TestDatabase.H2_MEMORY;
        LeaseSettings settings =
                LeaseSettings.builder(name).ttl(TTL).drainTimeout(Duration.ZERO).build();
        JdbcStateStore states = JdbcStateStore.open(database.pool(), name, JdbcStoreOptions.DEFAULTS);
        try (LeaderLease former = new LeaderLease(settings, new MemoryLeaseStore(), states)) {
            former.start();
            await().until(former::isHeld);
            former.state().commit("orders", "17");
        }
        try (JdbcLeaseStore store = open(database)) {
            try (LeaderLease refused = new LeaderLease(settings, store, states)) {
                refused.start();
                await().until(() -> refused.status().lastFailure() != null);
                assertThat(refused.status().lastFailure())
                        .contains("its id is " + store.location(), "by writing its id into the state");
                assertThat(refused.isHeld()).isFalse();
            }
            database.execute(
                    "update lease_state set lease_id = '" + store.location() + "' where name = '" + name + "'");
            try (LeaderLease next = new LeaderLease(settings, store, states)) {
                next.start();
                await().atMost(TTL.multipliedBy(4)).until(next::isHeld);
                assertThat(next.requireEpoch()).isEqualTo(2);
                assertThat(next.state().get("orders")).contains("17");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2_MEMORY"})
    void namesThatDifferInCaseAccentsOrBlanksAreDifferentLeases(TestDatabase database) throws Exception {
        for (String other : List.of(name + "a", name + "A", name + "\u00e1", name + "a\u0301", name + "a ")) {
            try (JdbcLeaseStore store = JdbcLeaseStore.open(database.pool(), other, JdbcStoreOptions.DEFAULTS)) {
                write(store, claim(other, 1));
                JdbcStateStore.open(database.pool(), other, JdbcStoreOptions.DEFAULTS)
                        .open(1, other, store.location());
            }
        }
    }

    @Test
    void aCollationThatTakesTwoNamesForOneIsRefused() throws Exception {
        TestDatabase database = TestDatabase.MARIADB;
        String[] tables = database.statements(ownTables.leaseTable(), ownTables.stateTable());
        for (String table : tables) {
            database.execute(table.replace("utf8mb4_nopad_bin", "utf8mb4_general_ci"));
        }
        try (JdbcLeaseStore lower = JdbcLeaseStore.open(database.pool(), "orders", ownTables);
                JdbcLeaseStore upper = JdbcLeaseStore.open(database.pool(), "Orders", ownTables)) {
            write(lower, claim("a", 1));
            assertThatThrownBy(upper::read)
                    .hasMessageContaining("takes the name 'orders' for 'Orders'")
                    .hasMessageContaining("collation");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2_MEMORY"})
    void noTimeZoneChangesWhatIsReadOrWritten(TestDatabase database) throws Exception {
        TimeZone before = TimeZone.getDefault();
        String zone = database == TestDatabase.MARIADB ? "set time_zone = '-09:00'" : "set time zone '-9'";
        try (HikariDataSource pool = database.newPool(config -> config.setConnectionInitSql(zone));
                JdbcLeaseStore here = JdbcLeaseStore.open(pool, name, JdbcStoreOptions.DEFAULTS);
                JdbcLeaseStore there = open(database)) {
            TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
            LeaseRecord record = claim("a", 1).renewed(0, TTL, java.time.Instant.parse("2026-10-25T01:30:00.123456Z"));
            write(here, record);
            TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
            assertThat(there.read().record()).isEqualTo(record);
            assertThat(there.read().unchangedFrom(here.read())).isTrue();
        } finally {
            TimeZone.setDefault(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptedCallCannotTellKeepsTheFlagAndHarmsNoLaterOne(TestDatabase database) throws Exception {
        try (JdbcLeaseStore store = open(database)) {
            LeaseRecord claimed = write(store, claim("a", 1));
            LeaseSnapshot own = store.read();
            Thread.currentThread().interrupt();
            try {
                assertThatThrownBy(() -> store.replace(own, renewed(claimed))).isInstanceOf(LeaseStoreException.class);
            } finally {
                assertThat(Thread.interrupted()).isTrue();
            }
            assertThat(store.read()).isEqualTo(own);
            write(store, renewed(claimed));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"POSTGRESQL", "MARIADB", "H2_MEMORY"})
    void aStateThatDoesNotFitIsToldWithoutItsEntries(TestDatabase database) throws Exception {
        for (String table : database.statements(ownTables.leaseTable(), ownTables.stateTable())) {
            database.execute(table.replaceAll("entries [a-z ]+ not null", "entries varchar(20) not null"));
        }
        StateSession session =
                JdbcStateStore.open(database.pool(), name, ownTables).open(1, "a", "lease-1");
        assertThatThrownBy(() -> session.write(Map.of("secret", "secret".repeat(10))))
                .isInstanceOf(StateStoreException.class)
                .satisfies(e -> assertThat(e).hasNoCause())
                .hasMessageNotContaining("secret");
    }
}
