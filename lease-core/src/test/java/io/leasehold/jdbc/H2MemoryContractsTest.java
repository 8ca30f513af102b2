package io.leasehold.jdbc;

class H2MemoryContractsTest extends DatabaseContracts {
    H2MemoryContractsTest() {
        super(TestDatabase.H2_MEMORY);
    }
}
