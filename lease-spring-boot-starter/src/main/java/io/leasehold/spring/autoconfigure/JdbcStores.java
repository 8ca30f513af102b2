package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.jdbc.JdbcLeaseStore;
import io.leasehold.jdbc.JdbcStateStore;
import io.leasehold.jdbc.JdbcStoreOptions;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Tables of the application's database. Once all beans are there each table is looked at: what a person has to mend in a
 * database that answers ends the start; one that does not answer is waited for.
 */
final class JdbcStores implements StoreBackEnd, SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcStores.class);

    private interface Check {
        void run() throws LeaseStoreException;
    }

    private final LeaseJdbcProperties properties;
    private final Supplier<DataSource> dataSource;
    private final List<Check> checks = new ArrayList<>();

    JdbcStores(LeaseJdbcProperties properties, Supplier<DataSource> dataSource) {
        this.properties = properties;
        this.dataSource = dataSource;
    }

    @Override
    public String store() {
        return ConfiguredStores.JDBC;
    }

    @Override
    public LeaseStore leaseStore(LeaseSettings settings) {
        JdbcLeaseStore store = JdbcLeaseStore.open(dataSource.get(), settings.name(), options(settings));
        checks.add(store::check);
        return store;
    }

    @Override
    public StateStore stateStore(LeaseSettings settings) {
        JdbcStateStore store = JdbcStateStore.open(dataSource.get(), settings.name(), options(settings));
        checks.add(store::check);
        return store;
    }

    /** A statement has half a renew interval, so that one that hangs leaves room for the next. */
    private JdbcStoreOptions options(LeaseSettings settings) {
        try {
            return new JdbcStoreOptions(
                    properties.table(),
                    properties.stateTable(),
                    settings.renewInterval().dividedBy(2).plusMillis(1),
                    properties.notices());
        } catch (IllegalArgumentException e) {
            throw new LeaseConfigurationException(
                    "lease.jdbc.table is '" + properties.table() + "' and lease.jdbc.state-table is '"
                            + properties.stateTable() + "': " + e.getMessage() + ".",
                    "Set them to two plain names, such as lease and lease_state.",
                    e);
        }
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (Check check : checks) {
            try {
                check.run();
            } catch (LeaseStoreException | StateStoreException e) {
                LOG.warn("The database of the lease cannot be used yet; it is tried again and again", e);
                return;
            }
        }
    }
}
