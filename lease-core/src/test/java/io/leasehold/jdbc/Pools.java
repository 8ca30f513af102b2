package io.leasehold.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.Map;

/** The pools that tests share. */
final class Pools {
    private static final Map<TestDatabase, HikariDataSource> POOLS = new EnumMap<>(TestDatabase.class);

    private Pools() {}

    static synchronized HikariDataSource of(TestDatabase database) {
        return POOLS.computeIfAbsent(database, Pools::open);
    }

    private static HikariDataSource open(TestDatabase database) {
        HikariDataSource pool = database.newPool(config -> config.setPoolName(database.name()));
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : database.statements("lease", "lease_state")) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            pool.close();
            throw new IllegalStateException(e);
        }
        return pool;
    }
}
