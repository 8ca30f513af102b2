package io.leasehold.spring.autoconfigure;

import io.leasehold.spring.RedisGuards;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/** Room for the lease's guard in Redis containers. */
@AutoConfiguration
@ConditionalOnClass(RedisMessageListenerContainer.class)
public final class LeaseRedisAutoConfiguration {

    LeaseRedisAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    static RedisGuards leaseRedisGuards() {
        return new RedisGuards();
    }
}
