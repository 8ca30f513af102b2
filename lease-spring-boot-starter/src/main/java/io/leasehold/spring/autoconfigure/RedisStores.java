package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.redis.RedisConnections;
import io.leasehold.redis.RedisLeaseStore;
import io.leasehold.redis.RedisStateStore;
import io.leasehold.redis.RedisStoreOptions;
import java.util.function.Supplier;

/** Leases and states in the application's Redis, on connections of their own. */
final class RedisStores extends ServerStores {
    private final LeaseRedisProperties properties;
    private final Supplier<RedisConnections> connections;

    RedisStores(LeaseRedisProperties properties, Supplier<RedisConnections> connections) {
        this.properties = properties;
        this.connections = connections;
    }

    @Override
    public String store() {
        return ConfiguredStores.REDIS;
    }

    @Override
    RedisLeaseStore newLeaseStore(LeaseSettings settings) {
        return new RedisLeaseStore(connections.get(), settings.name(), options(settings));
    }

    @Override
    RedisStateStore newStateStore(LeaseSettings settings) {
        return new RedisStateStore(connections.get(), settings.name(), options(settings));
    }

    private RedisStoreOptions options(LeaseSettings settings) {
        String prefix = properties.keyPrefix();
        if (prefix.contains("{") || prefix.contains("}")) {
            throw new LeaseConfigurationException(
                    "lease.redis.key-prefix is '" + prefix + "', and it must not have braces.",
                    "Leave them out: the lease's name is put between braces after it.");
        }
        return new RedisStoreOptions(prefix, timeout(settings));
    }
}
