package io.leasehold.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** Whether a table is there, and may be read and written; found by statements that change no row. */
final class TableCheck {
    private TableCheck() {}

    static boolean run(Session session, String table) throws SQLException {
        String[] statements = {
            "select name, epoch, sequence, holder from " + table + " where name = ''",
            "update " + table + " set sequence = sequence where name = '' and name = '-'",
            "insert into " + table + " select * from " + table + " where name = '' and name = '-'"
        };
        for (String sql : statements) {
            try (PreparedStatement statement = session.prepare(sql)) {
                statement.execute();
            }
        }
        return true;
    }
}
