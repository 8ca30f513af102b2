package io.leasehold.jdbc;

import io.leasehold.store.UnsuitableStoreException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTransientConnectionException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a database's refusal means, by its SQL state and, where that says too little, by the vendor's code. */
enum SqlFailure {
    /** The row is there already. */
    DUPLICATE,
    /** The statement lost against another and was undone; nothing was written. */
    CONFLICT,
    NO_TABLE,
    OTHER_COLUMNS,
    DENIED,
    READ_ONLY,
    OTHER;

    private static final Set<String> DUPLICATE_STATES = Set.of("23505");
    private static final Set<Integer> MYSQL_DUPLICATE = Set.of(1062, 1586);
    /** 40003 is in the same class, and says that the outcome is not known. */
    private static final Set<String> CONFLICT_STATES = Set.of("40001", "40P01", "40002");
    /** A deadlock, and a failure to serialize; the states of Oracle that they have say little without the code. */
    private static final Map<String, Integer> ORACLE_CONFLICTS = Map.of("61000", 60, "72000", 8177);

    private static final Set<String> NO_TABLE_STATES = Set.of("42P01", "42S02", "42S04", "3F000");
    /** The standard's state for a column that is not the one that is meant. */
    static final String OTHER_COLUMN = "42703";

    private static final Set<String> COLUMN_STATES = Set.of(OTHER_COLUMN, "42S22");
    private static final Set<String> DENIED_STATES = Set.of("42501", "90096");
    private static final Set<Integer> MYSQL_DENIED = Set.of(1044, 1142, 1143, 1227);
    private static final Set<String> HARMLESS_CLASSES = Set.of("08", "40", "53", "57");
    private static final Set<String> READ_ONLY_STATES = Set.of("25006", "90097");
    private static final Set<Integer> MYSQL_READ_ONLY = Set.of(1290, 1792, 1836);

    static SqlFailure of(SQLException failure) {
        String state = String.valueOf(failure.getSQLState());
        boolean mysql = isMysql(state);
        int code = failure.getErrorCode();
        if (DUPLICATE_STATES.contains(state) || (state.equals("23000") && MYSQL_DUPLICATE.contains(code))) {
            return DUPLICATE;
        }
        if (CONFLICT_STATES.contains(state) || Objects.equals(ORACLE_CONFLICTS.get(state), code)) {
            return CONFLICT;
        }
        if (READ_ONLY_STATES.contains(state) || (mysql && MYSQL_READ_ONLY.contains(code))) {
            return READ_ONLY;
        }
        if (NO_TABLE_STATES.contains(state)) {
            return NO_TABLE;
        }
        if (COLUMN_STATES.contains(state)) {
            return OTHER_COLUMNS;
        }
        return DENIED_STATES.contains(state) || (mysql && MYSQL_DENIED.contains(code)) ? DENIED : OTHER;
    }

    /** The states that MySQL and MariaDB give to what the standard has no state for, or an unfit one. */
    private static boolean isMysql(String state) {
        return state.equals("HY000") || state.equals("42000");
    }

    /**
     * Tells failures apart that only a person can mend, by a change in the database.
     *
     * @throws UnsuitableStoreException where this is such a failure
     */
    static void requireSuitable(SQLException failure, String what, String table) {
        SqlFailure kind = of(failure);
        String advice = kind.advice(table);
        boolean needsAPerson = kind == NO_TABLE || kind == OTHER_COLUMNS || kind == DENIED;
        if (needsAPerson && advice != null) {
            throw new UnsuitableStoreException(
                    "The table cannot be used for " + what + ": " + failure.getMessage() + ".", advice, failure);
        }
    }

    /** What to do about it; null where the failure has to speak for itself. */
    @Nullable
    String advice(String table) {
        return switch (this) {
            case NO_TABLE ->
                "There is no table " + table + " that this user can see. Create it with the script"
                        + " io/leasehold/jdbc/schema-<database>.sql of the library's jar; no restart is needed.";
            case OTHER_COLUMNS ->
                "The table " + table + " has other columns than expected. Compare it with the script"
                        + " io/leasehold/jdbc/schema-<database>.sql of the library's jar.";
            case DENIED ->
                "The database user lacks a permission on table " + table + ". Grant it select, insert and update; no"
                        + " restart is needed.";
            case READ_ONLY ->
                "The database takes no writes at present: it is a replica, or was set to read-only. That says nothing"
                        + " about who holds the lease. Connect to the primary, or wait until it takes writes again.";
            case DUPLICATE, CONFLICT, OTHER -> null;
        };
    }

    /** Whether the failure is one of the connection, of concurrency, of resources or of an operator's. */
    static boolean showsNoValue(SQLException failure) {
        if (failure instanceof SQLTransientConnectionException
                || failure instanceof SQLNonTransientConnectionException) {
            return true;
        }
        String state = String.valueOf(failure.getSQLState());
        return HARMLESS_CLASSES.stream().anyMatch(state::startsWith);
    }

    /** The failure in one line that shows no value of any column. */
    static String code(SQLException failure) {
        return failure.getClass().getSimpleName() + ", SQL state " + failure.getSQLState() + ", code "
                + failure.getErrorCode();
    }
}
