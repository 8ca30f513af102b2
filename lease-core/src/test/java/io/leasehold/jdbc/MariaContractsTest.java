package io.leasehold.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("servers")
class MariaContractsTest extends DatabaseContracts {
    MariaContractsTest() {
        super(TestDatabase.MARIADB);
    }
}
