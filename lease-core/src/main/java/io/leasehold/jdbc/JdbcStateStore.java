package io.leasehold.jdbc;

import io.leasehold.json.Json;
import io.leasehold.json.Json.UnreadableException;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateRecord;
import io.leasehold.state.StateStoreException;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lease in one row of a table, fenced by epoch. Opening an epoch and every commit replace the row by one
 * statement that commits by itself, on the condition that the row still has the epoch, the holder and the sequence that the
 * writer left there. So a commit of several entries is atomic, and none of a lower epoch is acknowledged after a higher one
 * was opened. It is not part of the application's transaction, and does not share its fate.
 *
 * <p>The whole state is one text: its size is bounded by what the database takes in one statement, which is 16 MB on MariaDB
 * ({@code max_allowed_packet}). Each call takes a connection from the data source and gives it back: where the pool is used
 * up, a commit fails when its time is over. Safe for use by several threads.
 */
public final class JdbcStateStore extends ConditionalStateStore {
    private final String name;
    private final String table;
    private final Sessions sessions;

    private JdbcStateStore(DataSource dataSource, String name, JdbcStoreOptions options) {
        this.name = name;
        this.table = options.stateTable();
        this.sessions = new Sessions(dataSource, options, false);
    }

    /**
     * Names the state of a lease in a database. Connects to nothing yet.
     *
     * @param dataSource gives the connections
     * @param leaseName the lease's name
     * @param options the table, and how long a statement may take
     * @return the store
     */
    public static JdbcStateStore open(DataSource dataSource, String leaseName, JdbcStoreOptions options) {
        return new JdbcStateStore(dataSource, leaseName, options);
    }

    @Override
    protected @Nullable StateRecord read() {
        try {
            return sessions.call(this::select).orElse(null);
        } catch (SQLException e) {
            throw failure("could not be read", e);
        }
    }

    private Optional<StateRecord> select(Session session) throws SQLException {
        String sql = "select name, lease_id, holder, epoch, sequence, entries from " + table + " where name = ?";
        try (PreparedStatement statement = session.prepare(sql)) {
            statement.setString(1, name);
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    return Optional.empty();
                }
                ExactName.require(name, result, table);
                return Optional.of(record(result));
            }
        }
    }

    private StateRecord record(ResultSet row) throws SQLException {
        String leaseId = row.getString("lease_id");
        String holder = row.getString("holder");
        long epoch = row.getLong("epoch");
        long sequence = row.getLong("sequence");
        String entries = row.getString("entries");
        if (leaseId == null || holder == null || entries == null || epoch < 1 || sequence < 0) {
            throw unreadable("a column is null or out of range");
        }
        try {
            return new StateRecord(
                    leaseId, holder, epoch, sequence, Json.readEntries(entries.getBytes(StandardCharsets.UTF_8)));
        } catch (UnreadableException e) {
            throw unreadable("its entries: " + e.getMessage());
        }
    }

    private StateStoreException unreadable(String why) {
        return new StateStoreException("The state at " + location() + " cannot be understood (" + why
                + "). Restore its row from a backup, or, to begin with an empty state, delete it.");
    }

    @Override
    protected boolean write(@Nullable StateRecord expected, StateRecord next) {
        try {
            return sessions.call(session -> expected == null ? insert(session, next) : update(session, expected, next));
        } catch (SQLException e) {
            throw failure("was not written, or may have been, with epoch " + next.epoch(), e);
        }
    }

    private boolean insert(Session session, StateRecord next) throws SQLException {
        String sql = "insert into " + table
                + " (lease_id, holder, epoch, sequence, entries, name) values (?, ?, ?, ?, ?, ?)";
        try (PreparedStatement statement = session.prepare(sql)) {
            bind(statement, next);
            return statement.executeUpdate() == 1;
        } catch (SQLException e) {
            if (SqlFailure.of(e) == SqlFailure.DUPLICATE) {
                return false;
            }
            throw e;
        }
    }

    private boolean update(Session session, StateRecord expected, StateRecord next) throws SQLException {
        String sql = "update " + table + " set lease_id = ?, holder = ?, epoch = ?, sequence = ?, entries = ?"
                + " where name = ? and epoch = ? and holder = ? and sequence = ?";
        try (PreparedStatement statement = session.prepare(sql)) {
            bind(statement, next);
            statement.setLong(7, expected.epoch());
            statement.setString(8, expected.holder());
            statement.setLong(9, expected.sequence());
            return statement.executeUpdate() == 1;
        }
    }

    private void bind(PreparedStatement statement, StateRecord next) throws SQLException {
        statement.setString(1, next.leaseId());
        statement.setString(2, next.holder());
        statement.setLong(3, next.epoch());
        statement.setLong(4, next.sequence());
        statement.setString(5, new String(Json.writeEntries(next.entries()), StandardCharsets.UTF_8));
        statement.setString(6, name);
    }

    @Override
    public void check() {
        try {
            sessions.call(session -> TableCheck.run(session, table));
        } catch (SQLException e) {
            SqlFailure.requireSuitable(e, "the state at " + location(), table);
            throw failure("could not be read", e);
        }
    }

    @Override
    public String location() {
        return "jdbc:" + table + "/" + name;
    }

    /**
     * Drivers quote the values that they could not store. Only failures of the connection, and those of which it is known
     * what to do, are told in their own words; the others by their code alone.
     */
    private StateStoreException failure(String what, SQLException cause) {
        String prefix = "The state at " + location() + " " + what + ": ";
        String advice = SqlFailure.of(cause).advice(table);
        if (advice == null && !SqlFailure.showsNoValue(cause)) {
            return new StateStoreException(prefix + SqlFailure.code(cause));
        }
        return new StateStoreException(prefix + (advice == null ? cause : advice), cause);
    }
}
