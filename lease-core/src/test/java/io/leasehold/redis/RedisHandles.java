package io.leasehold.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Handles of several processes on one lease that no other test uses, closed after the test. */
final class RedisHandles implements AfterEachCallback {
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final String name = "test-" + UUID.randomUUID();
    private final List<RedisConnections> opened = new ArrayList<>();

    String name() {
        return name;
    }

    String leaseKey() {
        return "lease:{" + name + "}:lease";
    }

    String stateKey() {
        return "lease:{" + name + "}:state";
    }

    RedisLeaseStore lease() {
        return new RedisLeaseStore(open(), name, new RedisStoreOptions("lease:", PATIENCE));
    }

    RedisStateStore state() {
        return new RedisStateStore(open(), name, new RedisStoreOptions("lease:", PATIENCE));
    }

    private RedisConnections open() {
        RedisConnections connections = RedisServer.shared().connections();
        opened.add(connections);
        return connections;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        opened.forEach(RedisConnections::close);
        opened.clear();
    }
}
