package io.leasehold.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("servers")
class MariaNetworkFaultsTest extends DatabaseNetworkFaults {
    MariaNetworkFaultsTest() {
        super(TestDatabase.MARIADB);
    }
}
