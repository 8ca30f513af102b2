package io.leasehold.jdbc;

import org.junit.jupiter.api.Tag;

@Tag("servers")
class H2FileContractsTest extends DatabaseContracts {
    H2FileContractsTest() {
        super(TestDatabase.H2_FILE);
    }
}
