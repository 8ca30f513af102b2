package io.leasehold.redis;

import io.leasehold.NetworkFaultsContract;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;

@Tag("servers")
class RedisNetworkFaultsTest extends NetworkFaultsContract {
    private final String name = "test-" + UUID.randomUUID();

    @Override
    protected int serverPort() {
        return RedisServer.shared().port();
    }

    @Override
    protected Handle newHandle(int port, Duration timeout) {
        RedisConnections connections = RedisConnections.to(RedisURI.create("127.0.0.1", port));
        RedisStoreOptions options = new RedisStoreOptions("lease:", timeout);
        LeaseStore leases = new RedisLeaseStore(connections, name, options);
        StateStore states = new RedisStateStore(connections, name, options);
        return new Handle(leases, states, connections);
    }
}
