package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.jdbc.JdbcLeaseStore;
import io.leasehold.jdbc.JdbcStateStore;
import io.leasehold.jdbc.JdbcStoreOptions;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Tables of the application's database. */
final class JdbcStores extends ServerStores {
    private final LeaseJdbcProperties properties;
    private final Supplier<DataSource> dataSource;

    JdbcStores(LeaseJdbcProperties properties, Supplier<DataSource> dataSource) {
        this.properties = properties;
        this.dataSource = dataSource;
    }

    @Override
    public String store() {
        return ConfiguredStores.JDBC;
    }

    @Override
    JdbcLeaseStore newLeaseStore(LeaseSettings settings) {
        return JdbcLeaseStore.open(dataSource.get(), settings.name(), options(settings));
    }

    @Override
    JdbcStateStore newStateStore(LeaseSettings settings) {
        return JdbcStateStore.open(dataSource.get(), settings.name(), options(settings));
    }

    private JdbcStoreOptions options(LeaseSettings settings) {
        try {
            return new JdbcStoreOptions(
                    properties.table(),
                    properties.stateTable(),
                    timeout(settings).plusMillis(1),
                    properties.notices());
        } catch (IllegalArgumentException e) {
            throw new LeaseConfigurationException(
                    "lease.jdbc.table is '" + properties.table() + "' and lease.jdbc.state-table is '"
                            + properties.stateTable() + "': " + e.getMessage() + ".",
                    "Set them to two plain names, such as lease and lease_state.",
                    e);
        }
    }
}
