package io.leasehold;

import io.leasehold.redis.RedisConnections;
import io.leasehold.redis.RedisLeaseStore;
import io.leasehold.redis.RedisServer;
import io.leasehold.redis.RedisStateStore;
import io.leasehold.redis.RedisStoreOptions;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.store.ConditionalLeaseStore;
import java.time.Duration;
import java.util.UUID;

/** The keys of a lease and its state in a real Redis. */
final class RedisRecords extends StoredRecords {
    private static final RedisStoreOptions PATIENT = new RedisStoreOptions("lease:", Duration.ofSeconds(15));

    private final String name = UUID.randomUUID().toString();
    private final RedisServer server;
    private final RedisConnections connections;

    RedisRecords(RedisServer server) {
        this.server = server;
        this.connections = opened(server.connections());
    }

    @Override
    public ConditionalLeaseStore leases() {
        return new RedisLeaseStore(connections, name, PATIENT);
    }

    @Override
    public ConditionalStateStore states() {
        return new RedisStateStore(connections, name, PATIENT);
    }

    @Override
    boolean deleteLease() {
        return delete(key("lease"));
    }

    @Override
    boolean deleteState() {
        return delete(key("state"));
    }

    @Override
    boolean garbleLease() {
        boolean there = !server.command("EXISTS", key("lease")).equals(":0");
        if (there) {
            server.command("HSET", key("lease"), "record", "garbled");
        }
        return there;
    }

    private boolean delete(String key) {
        return !server.command("DEL", key).equals(":0");
    }

    private String key(String part) {
        return PATIENT.keyPrefix() + '{' + name + "}:" + part;
    }
}
