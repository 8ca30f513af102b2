package io.leasehold.kubernetes;

import io.leasehold.state.ConditionalStateContract;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreContract;
import io.leasehold.state.StateStoreRaceContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

@Tag("servers")
class KubernetesStateStoreTest {
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
    class Contract extends StateStoreContract {
        @Override
        protected StateStore newHandle() {
            return api.state(name);
        }

        @Override
        protected int longestText() {
            return 100_000;
        }
    }

    @Nested
    class Condition extends ConditionalStateContract {
        @Override
        protected ConditionalStateStore newHandle() {
            return api.state(name);
        }
    }

    @Nested
    class Races extends StateStoreRaceContract {
        @Override
        protected StateStore newHandle() {
            return api.state(name);
        }

        @Override
        protected int rounds() {
            return 20;
        }
    }
}
