package io.leasehold.spring;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;

/**
 * Makes room for a guard in the Redis containers that are beans, before others add their listeners: see {@link
 * GuardedRedisMessageListenerContainer} and {@link GuardedStreamMessageListenerContainer}. It is for the application context
 * to use, whose post-processors need not be safe for use by several threads; this one is.
 */
public final class RedisGuards implements BeanPostProcessor {

    /** Knows nothing of any lease. */
    public RedisGuards() {}

    /**
     * Replaces a container that has no room for a guard; one of a subclass may be wanted as such, and is left as it is.
     *
     * @param bean any bean
     * @param beanName its name
     * @return the bean, or what stands in front of it
     */
    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean.getClass().equals(RedisMessageListenerContainer.class)) {
            return new RedisRegistrations((RedisMessageListenerContainer) bean);
        }
        if (bean instanceof StreamMessageListenerContainer<?, ?> streams
                && !(bean instanceof GuardedStreamMessageListenerContainer<?, ?>)) {
            return GuardedStreamMessageListenerContainer.of(streams);
        }
        return bean;
    }
}
