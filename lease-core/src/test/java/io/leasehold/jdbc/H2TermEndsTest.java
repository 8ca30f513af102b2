package io.leasehold.jdbc;

import io.leasehold.TermEndsContract;

class H2TermEndsTest extends TermEndsContract {
    private static final TestDatabase DATABASE = TestDatabase.H2_FILE;

    private final String name = TestDatabase.newName();

    @Override
    protected Handle newHandle() {
        JdbcLeaseStore leases = JdbcLeaseStore.open(DATABASE.pool(), name, JdbcStoreOptions.DEFAULTS);
        JdbcStateStore states = JdbcStateStore.open(DATABASE.pool(), name, JdbcStoreOptions.DEFAULTS);
        return new Handle(leases, states, leases);
    }
}
