package io.leasehold.jdbc;

class H2FileContractsTest extends DatabaseContracts {
    H2FileContractsTest() {
        super(TestDatabase.H2_FILE);
    }
}
