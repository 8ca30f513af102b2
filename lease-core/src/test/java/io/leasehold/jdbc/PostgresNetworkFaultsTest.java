package io.leasehold.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("servers")
class PostgresNetworkFaultsTest extends DatabaseNetworkFaults {
    PostgresNetworkFaultsTest() {
        super(TestDatabase.POSTGRESQL);
    }
}
