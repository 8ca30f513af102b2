package io.leasehold.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("servers")
class PostgresContractsTest extends DatabaseContracts {
    PostgresContractsTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
