package io.leasehold.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.NetworkFaultsContract;
import java.time.Duration;

/** A database behind a network that loses and delays. */
abstract class DatabaseNetworkFaults extends NetworkFaultsContract {
    private final TestDatabase database;
    private final String name = TestDatabase.newName();

    DatabaseNetworkFaults(TestDatabase database) {
        this.database = database;
    }

    @Override
    protected int serverPort() {
        database.pool();
        return database == TestDatabase.POSTGRESQL ? PostgresServer.port() : MariaServer.port();
    }

    @Override
    protected boolean tellsOfHandOvers() {
        return database == TestDatabase.POSTGRESQL;
    }

    private String url(int port) {
        return database == TestDatabase.POSTGRESQL ? PostgresServer.url(port) : MariaServer.url(port);
    }

    @Override
    protected Handle newHandle(int port, Duration timeout) {
        HikariDataSource pool = database.newPool(config -> {
            config.setJdbcUrl(url(port));
            config.setConnectionTimeout(2000);
            config.setInitializationFailTimeout(-1);
            config.setMaximumPoolSize(4);
        });
        JdbcStoreOptions options = new JdbcStoreOptions("lease", "lease_state", timeout, true);
        JdbcLeaseStore leases = JdbcLeaseStore.open(pool, name, options);
        JdbcStateStore states = JdbcStateStore.open(pool, name, options);
        return new Handle(leases, states, () -> {
            leases.close();
            pool.close();
        });
    }
}
