package io.leasehold.jdbc;

import io.leasehold.state.ConditionalStateContract;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreContract;
import io.leasehold.state.StateStoreRaceContract;
import io.leasehold.store.ConditionalLeaseContract;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.GarbledLeaseContract;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreContract;
import io.leasehold.store.LeaseStoreRaceContract;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;

/** What every store promises, held by a database. */
abstract class DatabaseContracts {
    private static final int ROUNDS = 25;

    private final TestDatabase database;
    private final String name = TestDatabase.newName();
    private final List<JdbcLeaseStore> opened = new CopyOnWriteArrayList<>();

    DatabaseContracts(TestDatabase database) {
        this.database = database;
    }

    private JdbcLeaseStore openLease() {
        JdbcLeaseStore store = JdbcLeaseStore.open(database.pool(), name, JdbcStoreOptions.DEFAULTS);
        opened.add(store);
        return store;
    }

    private JdbcStateStore openState() {
        return JdbcStateStore.open(database.pool(), name, JdbcStoreOptions.DEFAULTS);
    }

    @AfterEach
    void close() {
        opened.forEach(JdbcLeaseStore::close);
    }

    @Nested
    class Lease extends LeaseStoreContract {
        @Override
        protected LeaseStore newHandle() {
            return openLease();
        }
    }

    @Nested
    class LeaseCondition extends ConditionalLeaseContract {
        @Override
        protected ConditionalLeaseStore newHandle() {
            return openLease();
        }
    }

    @Nested
    class LeaseRaces extends LeaseStoreRaceContract {
        @Override
        protected LeaseStore newHandle() {
            return openLease();
        }

        @Override
        protected int rounds() {
            return ROUNDS;
        }
    }

    @Nested
    class Garbled extends GarbledLeaseContract {
        @Override
        protected LeaseStore newHandle() {
            return openLease();
        }

        @Override
        protected void garble(long epoch, String contents) throws Exception {
            try (Connection connection = database.pool().getConnection();
                    PreparedStatement statement =
                            connection.prepareStatement("update lease set ttl = ? where name = ? and epoch = ?")) {
                statement.setString(1, contents);
                statement.setString(2, name);
                statement.setLong(3, epoch);
                statement.executeUpdate();
            }
        }
    }

    @Nested
    class State extends StateStoreContract {
        @Override
        protected StateStore newHandle() {
            return openState();
        }
    }

    @Nested
    class StateCondition extends ConditionalStateContract {
        @Override
        protected ConditionalStateStore newHandle() {
            return openState();
        }
    }

    @Nested
    class StateRaces extends StateStoreRaceContract {
        @Override
        protected StateStore newHandle() {
            return openState();
        }

        @Override
        protected int rounds() {
            return ROUNDS;
        }
    }
}
