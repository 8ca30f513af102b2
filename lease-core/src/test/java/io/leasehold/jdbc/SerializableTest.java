package io.leasehold.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreRaceContract;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** A pool whose transactions are serializable, and do not commit by themselves, until the store asks for it. */
@Tag("servers")
class SerializableTest {

    abstract static class Races extends LeaseStoreRaceContract {
        private final String name = TestDatabase.newName();
        private final List<JdbcLeaseStore> opened = new CopyOnWriteArrayList<>();
        private final HikariDataSource pool;

        Races(TestDatabase database) {
            database.pool();
            pool = database.newPool(config -> {
                config.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
                config.setAutoCommit(false);
            });
        }

        @Override
        protected LeaseStore newHandle() {
            JdbcLeaseStore store = JdbcLeaseStore.open(pool, name, JdbcStoreOptions.DEFAULTS);
            opened.add(store);
            return store;
        }

        @Override
        protected int rounds() {
            return 10;
        }

        @AfterEach
        void close() {
            opened.forEach(JdbcLeaseStore::close);
            pool.close();
        }
    }

    @Nested
    class Postgres extends Races {
        Postgres() {
            super(TestDatabase.POSTGRESQL);
        }
    }

    @Nested
    class Maria extends Races {
        Maria() {
            super(TestDatabase.MARIADB);
        }
    }
}
