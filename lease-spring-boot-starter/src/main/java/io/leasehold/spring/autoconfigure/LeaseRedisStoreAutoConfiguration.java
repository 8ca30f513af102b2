package io.leasehold.spring.autoconfigure;

import io.leasehold.redis.RedisConnections;
import io.lettuce.core.RedisClient;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Leases and states in Redis, where the application has a connection factory of Lettuce. */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass({LettuceConnectionFactory.class, RedisClient.class})
@ConditionalOnBean(LettuceConnectionFactory.class)
@ConditionalOnStore(ConfiguredStores.REDIS)
@EnableConfigurationProperties(LeaseRedisProperties.class)
public final class LeaseRedisStoreAutoConfiguration {
    LeaseRedisStoreAutoConfiguration() {}

    /** Made, and its factory looked for, only where a lease or a state is kept in Redis. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    static RedisConnections leaseRedisConnections(
            LeaseRedisProperties properties, ObjectProvider<LettuceConnectionFactory> factories, BeanFactory beans) {
        String name = properties.connectionFactory();
        return new LeaseRedisAddress(name == null ? only(factories) : named(name, beans)).connections();
    }

    @Bean
    @ConditionalOnMissingBean
    static RedisStores leaseRedisStores(LeaseRedisProperties properties, ObjectProvider<RedisConnections> connections) {
        return new RedisStores(properties, connections::getObject);
    }

    private static LettuceConnectionFactory only(ObjectProvider<LettuceConnectionFactory> factories) {
        LettuceConnectionFactory factory = factories.getIfUnique();
        if (factory == null) {
            throw new LeaseConfigurationException(
                    "There are several LettuceConnectionFactory beans, and none of them is primary.",
                    "Name the one whose server keeps the lease in lease.redis.connection-factory.");
        }
        return factory;
    }

    private static LettuceConnectionFactory named(String name, BeanFactory beans) {
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, LettuceConnectionFactory.class)) {
            throw new LeaseConfigurationException(
                    "lease.redis.connection-factory is '" + name
                            + "', and there is no LettuceConnectionFactory bean of that name.",
                    "Set it to the name of one, or leave it out where there is only one.");
        }
        return beans.getBean(name, LettuceConnectionFactory.class);
    }
}
