package io.leasehold.memory;

import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.ConditionalLeaseContract;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreContract;
import io.leasehold.store.LeaseStoreRaceContract;
import java.io.Closeable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class MemoryLeaseStoreTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();

    @Nested
    class Contract extends LeaseStoreContract {
        @Override
        protected LeaseStore newHandle() {
            return store;
        }
    }

    @Nested
    class Condition extends ConditionalLeaseContract {
        @Override
        protected ConditionalLeaseStore newHandle() {
            return store;
        }
    }

    @Nested
    class Races extends LeaseStoreRaceContract {
        @Override
        protected LeaseStore newHandle() {
            return store;
        }
    }

    @Test
    void everyWriteIsToldToWhoeverWatches() throws Exception {
        AtomicInteger notices = new AtomicInteger();
        try (Closeable watch = store.watch(notices::incrementAndGet)) {
            store.replace(store.read(), claim("a", 1));
            assertThat(notices).hasValue(1);
        }
        store.replace(store.read(), claim("b", 2));
        assertThat(notices).hasValue(1);
    }

    @Test
    void twoObjectsAreTwoLeases() {
        assertThat(new MemoryLeaseStore().read().leaseId())
                .isNotEqualTo(store.read().leaseId());
    }
}
