package io.leasehold.jdbc;

import java.sql.ResultSet;
import java.sql.SQLDataException;
import java.sql.SQLException;

/** Two names that a table's collation takes for one would share a lease. */
final class ExactName {
    private ExactName() {}

    /** Refuses a row that was found under a name and has another. */
    static void require(String name, ResultSet row, String table) throws SQLException {
        String found = row.getString("name");
        if (!name.equals(found)) {
            throw new SQLDataException("Table " + table + " takes the name '" + found + "' for '" + name
                    + "'. Give its column name a collation that tells case, accents and trailing blanks apart, as the"
                    + " script io/leasehold/jdbc/schema-<database>.sql of the library's jar does, or rename the lease");
        }
    }
}
