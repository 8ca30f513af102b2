package io.leasehold.kubernetes;

import io.leasehold.store.ConditionalLeaseContract;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.GarbledLeaseContract;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreContract;
import io.leasehold.store.LeaseStoreRaceContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("servers")
class KubernetesLeaseStoreTest {
    private static MockApiServer api;

    private final String name = MockApiServer.newName();

    @BeforeAll
    static void startServer() {
        api = new MockApiServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        api.close();
    }

    @AfterEach
    void closeStores() throws Exception {
        api.closeStores();
    }

    @Nested
    class Contract extends LeaseStoreContract {
        @Override
        protected LeaseStore newHandle() {
            return api.lease(name);
        }

        @Override
        protected long highestEpoch() {
            return Integer.MAX_VALUE;
        }
    }

    @Nested
    class Condition extends ConditionalLeaseContract {
        @Override
        protected ConditionalLeaseStore newHandle() {
            return api.lease(name);
        }
    }

    @Nested
    class Races extends LeaseStoreRaceContract {
        @Override
        protected LeaseStore newHandle() {
            return api.lease(name);
        }

        @Override
        protected int rounds() {
            return 20;
        }
    }

    @Nested
    class Garbled extends GarbledLeaseContract {
        @Override
        protected LeaseStore newHandle() {
            return api.lease(name);
        }

        @Override
        protected void garble(long epoch, String contents) {
            api.garble(name, contents);
        }
    }
}
