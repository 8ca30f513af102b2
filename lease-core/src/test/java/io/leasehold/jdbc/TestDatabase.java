package io.leasehold.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;

/** One server for all tests of a process, with the tables that the library's script makes. */
enum TestDatabase {
    POSTGRESQL,
    MARIADB,
    H2_MEMORY,
    H2_FILE;

    private static final int POOL = 24;

    /** The address that a driver connects to. */
    String url() {
        return switch (this) {
            case POSTGRESQL -> PostgresServer.url();
            case MARIADB -> MariaServer.url();
            case H2_MEMORY -> "jdbc:h2:mem:leasehold;DB_CLOSE_DELAY=-1";
            case H2_FILE -> H2Files.url();
        };
    }

    String user() {
        return this == POSTGRESQL ? "postgres" : "root";
    }

    /** The name of the script that makes the tables. */
    String script() {
        return switch (this) {
            case POSTGRESQL -> "schema-postgresql.sql";
            case MARIADB -> "schema-mariadb.sql";
            case H2_MEMORY, H2_FILE -> "schema-h2.sql";
        };
    }

    /** A pool of one's own, to be closed by the caller. */
    HikariDataSource newPool(Consumer<HikariConfig> settings) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url());
        config.setUsername(user());
        config.setPassword("");
        config.setMaximumPoolSize(POOL);
        config.setMinimumIdle(0);
        settings.accept(config);
        return new HikariDataSource(config);
    }

    /** A pool for all tests, with the tables in place. */
    HikariDataSource pool() {
        return Pools.of(this);
    }

    void execute(String... statements) throws SQLException {
        try (Connection connection = pool().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** A name that no other test uses. */
    static String newName() {
        return "test-" + UUID.randomUUID();
    }

    /** The script, with other names of the tables where a test needs tables of its own. */
    String[] statements(String leaseTable, String stateTable) {
        try (InputStream script = Objects.requireNonNull(JdbcLeaseStore.class.getResourceAsStream(script()))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("not exists lease_state ", "not exists " + stateTable + " ")
                    .replace("not exists lease ", "not exists " + leaseTable + " ")
                    .replaceAll("--[^\n]*", "")
                    .strip()
                    .split(";");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
