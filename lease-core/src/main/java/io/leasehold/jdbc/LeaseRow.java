package io.leasehold.jdbc;

import io.leasehold.json.Json;
import io.leasehold.json.Json.UnreadableException;
import io.leasehold.store.LeaseRecord;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the columns of a lease's row hold, whether that can be understood or not. Immutable. */
final class LeaseRow {
    private static final List<String> COLUMNS =
            List.of("epoch", "sequence", "holder", "claim", "ttl", "expires_at", "released");
    /** The columns before this one are numbers. */
    private static final int FIRST_TEXT = 2;

    private static final String NULL = "~";

    private final List<@Nullable String> values;

    private LeaseRow(List<@Nullable String> values) {
        this.values = Collections.unmodifiableList(values);
    }

    /** The columns in the order in which they are read and bound. */
    static String columns(String separator, String suffix) {
        return COLUMNS.stream().map(column -> column + suffix).collect(Collectors.joining(separator));
    }

    static int size() {
        return COLUMNS.size();
    }

    static LeaseRow of(LeaseRecord record) {
        return new LeaseRow(List.of(
                String.valueOf(record.epoch()),
                String.valueOf(record.sequence()),
                record.holder(),
                record.claim(),
                record.ttl().toString(),
                record.expiresAt().toString(),
                String.valueOf(record.released())));
    }

    static LeaseRow read(ResultSet result) throws SQLException {
        List<@Nullable String> values = new ArrayList<>();
        for (String column : COLUMNS) {
            values.add(result.getString(column));
        }
        for (int i = 0; i < FIRST_TEXT; i++) {
            requireNumber(COLUMNS.get(i), values.get(i));
        }
        return new LeaseRow(values);
    }

    private static void requireNumber(String column, @Nullable String value) throws SQLException {
        try {
            long unused = value == null ? 0 : Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new SQLException("The column " + column + " holds no whole number", SqlFailure.OTHER_COLUMN, e);
        }
    }

    /** From the text that {@link #contents()} made. */
    static LeaseRow parse(String contents) {
        List<@Nullable String> values = new ArrayList<>();
        int at = 0;
        while (at < contents.length()) {
            if (contents.startsWith(NULL, at)) {
                values.add(null);
                at += NULL.length();
            } else {
                int colon = contents.indexOf(':', at);
                int end = colon + 1 + Integer.parseInt(contents.substring(at, colon));
                values.add(contents.substring(colon + 1, end));
                at = end;
            }
        }
        return new LeaseRow(values);
    }

    /** All columns as one text; two rows have equal texts only where every column is equal. */
    String contents() {
        StringBuilder text = new StringBuilder();
        for (String value : values) {
            text.append(value == null ? NULL : value.length() + ":" + value);
        }
        return text.toString();
    }

    /** The condition that the row still is this one. */
    String condition() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < COLUMNS.size(); i++) {
            text.append(" and ").append(COLUMNS.get(i)).append(values.get(i) == null ? " is null" : " = ?");
        }
        return text.toString();
    }

    /** Binds the columns that are not null, from a parameter on; returns the parameter after them. */
    int bind(PreparedStatement statement, int first) throws SQLException {
        int parameter = first;
        for (int i = 0; i < COLUMNS.size(); i++) {
            String value = values.get(i);
            if (value != null && i < FIRST_TEXT) {
                statement.setLong(parameter++, Long.parseLong(value));
            } else if (value != null) {
                statement.setString(parameter++, value);
            }
        }
        return parameter;
    }

    /** The epoch counts however garbled the rest is; 0 where the column holds no epoch. */
    long epoch() {
        String epoch = values.get(0);
        return epoch == null ? 0 : Math.max(0, Long.parseLong(epoch));
    }

    /** The row as a term of the lease; null where it is none. */
    @Nullable
    LeaseRecord record() {
        String released = values.get(COLUMNS.size() - 1);
        if (values.contains(null) || epoch() == 0 || !("true".equals(released) || "false".equals(released))) {
            return null;
        }
        try {
            return Json.term(
                    values.get(2),
                    values.get(3),
                    epoch(),
                    Long.parseLong(values.get(1)),
                    values.get(4),
                    values.get(5),
                    Boolean.parseBoolean(released));
        } catch (UnreadableException e) {
            return null;
        }
    }
}
