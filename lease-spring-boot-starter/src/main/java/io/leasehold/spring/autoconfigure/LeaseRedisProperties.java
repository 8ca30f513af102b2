package io.leasehold.spring.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of leases and states that are kept in Redis.
 *
 * @param keyPrefix What the keys and channels of all leases begin with; no braces.
 * @param connectionFactory Name of the LettuceConnectionFactory bean whose server keeps the lease. Required only where there
 *     are several and none is primary.
 */
@ConfigurationProperties("lease.redis")
public record LeaseRedisProperties(
        @DefaultValue("lease:") String keyPrefix, @Nullable String connectionFactory) {}
