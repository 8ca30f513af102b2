package io.leasehold.redis;

import io.leasehold.store.ConditionalLeaseContract;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.GarbledLeaseContract;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreContract;
import io.leasehold.store.LeaseStoreRaceContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("servers")
class RedisLeaseStoreTest {
    @RegisterExtension
    final RedisHandles handles = new RedisHandles();

    @Nested
    class Contract extends LeaseStoreContract {
        @Override
        protected LeaseStore newHandle() {
            return handles.lease();
        }
    }

    @Nested
    class Condition extends ConditionalLeaseContract {
        @Override
        protected ConditionalLeaseStore newHandle() {
            return handles.lease();
        }
    }

    @Nested
    class Races extends LeaseStoreRaceContract {
        @Override
        protected LeaseStore newHandle() {
            return handles.lease();
        }
    }

    @Nested
    class Garbled extends GarbledLeaseContract {
        @Override
        protected LeaseStore newHandle() {
            return handles.lease();
        }

        @Override
        protected void garble(long epoch, String contents) {
            RedisServer.shared().command("HSET", handles.leaseKey(), "record", contents);
        }
    }
}
