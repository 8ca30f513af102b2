package io.leasehold.redis;

import io.leasehold.state.ConditionalStateContract;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreContract;
import io.leasehold.state.StateStoreRaceContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("servers")
class RedisStateStoreTest {
    @RegisterExtension
    final RedisHandles handles = new RedisHandles();

    @Nested
    class Contract extends StateStoreContract {
        @Override
        protected StateStore newHandle() {
            return handles.state();
        }
    }

    @Nested
    class Condition extends ConditionalStateContract {
        @Override
        protected ConditionalStateStore newHandle() {
            return handles.state();
        }
    }

    @Nested
    class Races extends StateStoreRaceContract {
        @Override
        protected StateStore newHandle() {
            return handles.state();
        }
    }
}
