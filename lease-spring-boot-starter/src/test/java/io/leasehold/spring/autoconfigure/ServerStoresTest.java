package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseSettings;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.UnsuitableStoreException;
import org.junit.jupiter.api.Test;

/** When the stores on a server are looked at. */
class ServerStoresTest {
    private final LeaseSettings settings = LeaseSettings.builder("orders").build();
    private final ServerStores stores = new ServerStores() {
        @Override
        public String store() {
            return "unsuitable";
        }

        @Override
        ConditionalLeaseStore newLeaseStore(LeaseSettings of) {
            return new Unsuitable();
        }

        @Override
        ConditionalStateStore newStateStore(LeaseSettings of) {
            return new MemoryStateStore();
        }
    };

    /** A lease that needs a person first. */
    private static final class Unsuitable extends ConditionalLeaseStore {
        @Override
        public LeaseSnapshot read() {
            throw new UnsuitableStoreException("There is no table.", "Create it.", null);
        }

        @Override
        protected boolean write(LeaseSnapshot expected, LeaseRecord next) {
            return false;
        }

        @Override
        public String location() {
            return "nowhere";
        }
    }

    @Test
    void aStoreIsLookedAtOnceAllBeansAreThere() {
        stores.leaseStore(settings);
        assertThatThrownBy(stores::afterSingletonsInstantiated).isInstanceOf(UnsuitableStoreException.class);
    }

    @Test
    void aStoreThatIsMadeLaterIsLookedAtAtOnce() {
        stores.afterSingletonsInstantiated();
        assertThatThrownBy(() -> stores.leaseStore(settings)).isInstanceOf(UnsuitableStoreException.class);
    }
}
