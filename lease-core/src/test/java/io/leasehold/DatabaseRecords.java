package io.leasehold;

import io.leasehold.jdbc.JdbcLeaseStore;
import io.leasehold.jdbc.JdbcStateStore;
import io.leasehold.jdbc.JdbcStoreOptions;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.store.ConditionalLeaseStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.UUID;
import org.h2.jdbcx.JdbcDataSource;

/** The rows of a lease and its state in an H2 database of their own, which is in this process. */
final class DatabaseRecords extends StoredRecords {
    private static final String NAME = "orders";

    private final JdbcDataSource database = new JdbcDataSource();
    private final Connection person;

    /** Creates the database. It goes with its last connection. */
    DatabaseRecords() {
        database.setUrl("jdbc:h2:mem:" + UUID.randomUUID());
        try (InputStream schema = Objects.requireNonNull(JdbcLeaseStore.class.getResourceAsStream("schema-h2.sql"))) {
            person = opened(database.getConnection());
            change(new String(schema.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public ConditionalLeaseStore leases() {
        return opened(JdbcLeaseStore.open(database, NAME, JdbcStoreOptions.DEFAULTS));
    }

    @Override
    public ConditionalStateStore states() {
        return JdbcStateStore.open(database, NAME, JdbcStoreOptions.DEFAULTS);
    }

    @Override
    boolean deleteLease() {
        return change("delete from lease");
    }

    @Override
    boolean deleteState() {
        return change("delete from lease_state");
    }

    @Override
    boolean garbleLease() {
        return change("update lease set ttl = 'garbled'");
    }

    private boolean change(String sql) {
        try (Statement statement = person.createStatement()) {
            return statement.executeUpdate(sql) > 0;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
