package io.leasehold.jdbc;

import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import java.io.Closeable;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease in one row of a table. A claim inserts the row, or updates it on the condition that every column still is what
 * was read; a renew and a release are such updates too. Each is one statement that commits by itself, on a connection of the
 * store's own and on another thread: never part of a transaction of the application, as long as the data source gives each
 * caller a connection of its own.
 *
 * <p>One connection is taken from the data source at the first call and kept until {@link #close()}, so that a pool that
 * the application has used up does not end the lease; one that failed is given back and replaced. Where notices are on,
 * PostgreSQL tells of a hand-over on one more connection.
 *
 * <p>What is needed of the database: a row that is committed stays, and every contender reads and writes at the primary.
 * After a fail-over to a replica that had not yet received the last writes, the lease may go back to an older row; only a
 * state store that did not lose writes then keeps epochs rising. Safe for use by several threads.
 */
public final class JdbcLeaseStore extends ConditionalLeaseStore implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcLeaseStore.class);

    private final DataSource dataSource;
    private final String name;
    private final JdbcStoreOptions options;
    private final String table;
    private final Sessions sessions;
    private final Notices notices;
    private volatile String reported = "";

    private JdbcLeaseStore(DataSource dataSource, String name, JdbcStoreOptions options) {
        this.dataSource = dataSource;
        this.name = name;
        this.options = options;
        this.table = options.leaseTable();
        this.sessions = new Sessions(dataSource, options, true);
        this.notices = new Notices(table, name);
    }

    /**
     * Names a lease in a database. Connects to nothing yet.
     *
     * @param dataSource gives the connections
     * @param leaseName the lease's name
     * @param options the table, and how long a statement may take
     * @return the store
     */
    public static JdbcLeaseStore open(DataSource dataSource, String leaseName, JdbcStoreOptions options) {
        return new JdbcLeaseStore(dataSource, leaseName, options);
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        try {
            return sessions.call(this::select).map(this::snapshot).orElse(LeaseSnapshot.empty(location()));
        } catch (SQLException e) {
            throw failure("could not be read", e);
        }
    }

    private LeaseSnapshot snapshot(LeaseRow row) {
        LeaseRecord record = row.record();
        if (record == null) {
            reportGarbled(row.contents());
        }
        return new LeaseSnapshot(
                location(), row.epoch(), row.contents(), record, record == null ? Duration.ZERO : record.ttl());
    }

    private Optional<LeaseRow> select(Session session) throws SQLException {
        String sql = "select name, " + LeaseRow.columns(", ", "") + " from " + table + " where name = ?";
        try (PreparedStatement statement = session.prepare(sql)) {
            statement.setString(1, name);
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    return Optional.empty();
                }
                ExactName.require(name, result, table);
                return Optional.of(LeaseRow.read(result));
            }
        }
    }

    private void reportGarbled(String contents) {
        if (!reported.equals(contents)) {
            reported = contents;
            LOG.warn(
                    "The row of {} cannot be understood; its epoch counts, and it may be taken over once it has not changed"
                            + " for the longest ttl known",
                    location());
        }
    }

    @Override
    protected boolean write(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        LeaseRow row = LeaseRow.of(next);
        boolean handOver = next.released() || next.sequence() == 0;
        try {
            return expected.contents().isEmpty()
                    ? sessions.call(session -> insert(session, row, handOver))
                    : sessions.call(session -> update(session, LeaseRow.parse(expected.contents()), row, handOver));
        } catch (SQLException e) {
            throw failure("was not written, or may have been, with epoch " + next.epoch(), e);
        }
    }

    private boolean insert(Session session, LeaseRow row, boolean handOver) throws SQLException {
        String sql = "insert into " + table + " (name, " + LeaseRow.columns(", ", "") + ") values (?"
                + ", ?".repeat(LeaseRow.size()) + ")";
        try {
            return execute(session, sql, handOver, statement -> {
                statement.setString(1, name);
                return row.bind(statement, 2);
            });
        } catch (SQLException e) {
            if (SqlFailure.of(e) == SqlFailure.DUPLICATE) {
                return false;
            }
            throw e;
        }
    }

    private boolean update(Session session, LeaseRow there, LeaseRow row, boolean handOver) throws SQLException {
        String sql =
                "update " + table + " set " + LeaseRow.columns(", ", " = ?") + " where name = ?" + there.condition();
        return execute(session, sql, handOver, statement -> {
            int parameter = row.bind(statement, 1);
            statement.setString(parameter, name);
            return there.bind(statement, parameter + 1);
        });
    }

    /** Sets parameters; returns the next one's number. */
    private interface Binding {
        int bind(PreparedStatement statement) throws SQLException;
    }

    /** One statement, which tells of a hand-over in the same commit. */
    private boolean execute(Session session, String sql, boolean handOver, Binding binding) throws SQLException {
        if (!handOver || !notices.areHeard()) {
            try (PreparedStatement statement = session.prepare(sql)) {
                binding.bind(statement);
                return statement.executeUpdate() == 1;
            }
        }
        try (PreparedStatement statement = session.prepare(notices.telling(sql))) {
            statement.setString(binding.bind(statement), notices.channel());
            try (ResultSet result = statement.executeQuery()) {
                return result.next();
            }
        }
    }

    @Override
    public void check() throws LeaseStoreException {
        try {
            sessions.call(session -> TableCheck.run(session, table));
        } catch (SQLException e) {
            SqlFailure.requireSuitable(e, "the lease at " + location(), table);
            throw failure("could not be read", e);
        }
    }

    @Override
    public Closeable watch(Runnable onChange) {
        return options.notices() ? ChangeWatch.start(dataSource, options, notices, onChange) : () -> {};
    }

    @Override
    public String location() {
        return "jdbc:" + table + "/" + name;
    }

    /** Gives the connection back. Later calls work, and keep none. */
    @Override
    public void close() {
        sessions.close();
    }

    private LeaseStoreException failure(String what, SQLException cause) {
        String advice = SqlFailure.of(cause).advice(table);
        return new LeaseStoreException(
                "The lease at " + location() + " " + what + ": " + (advice == null ? cause : advice), cause);
    }
}
