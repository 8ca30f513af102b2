package io.leasehold.memory;

import io.leasehold.state.ConditionalStateContract;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreContract;
import io.leasehold.state.StateStoreRaceContract;
import org.junit.jupiter.api.Nested;

class MemoryStateStoreTest {
    private final MemoryStateStore store = new MemoryStateStore();

    @Nested
    class Contract extends StateStoreContract {
        @Override
        protected StateStore newHandle() {
            return store;
        }
    }

    @Nested
    class Condition extends ConditionalStateContract {
        @Override
        protected ConditionalStateStore newHandle() {
            return store;
        }
    }

    @Nested
    class Races extends StateStoreRaceContract {
        @Override
        protected StateStore newHandle() {
            return store;
        }
    }
}
