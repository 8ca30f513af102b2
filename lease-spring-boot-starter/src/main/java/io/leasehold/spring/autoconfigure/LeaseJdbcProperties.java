package io.leasehold.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of leases and states in a database.
 *
 * @param dataSource Bean name of the DataSource that holds the tables. Defaults to the only one, or the primary one.
 * @param table Table of the leases, after a schema and a dot where one is needed.
 * @param stateTable Table of the states, after a schema and a dot where one is needed.
 * @param notices Whether a hand-over is told by NOTIFY of PostgreSQL, which keeps one more connection. Without effect on other
 *     databases.
 * @param initializeSchema Whether the tables are created at the start where they are missing.
 */
@ConfigurationProperties("lease.jdbc")
public record LeaseJdbcProperties(
        @Nullable String dataSource,
        @DefaultValue("lease") String table,
        @DefaultValue("lease_state") String stateTable,
        @DefaultValue("true") boolean notices,
        @DefaultValue("never") SchemaInitialization initializeSchema) {

    /** When the tables are created. */
    public enum SchemaInitialization {
        /** Somebody else creates them. */
        NEVER,
        /** In an embedded database only. */
        EMBEDDED,
        /** In any database. */
        ALWAYS
    }
}
