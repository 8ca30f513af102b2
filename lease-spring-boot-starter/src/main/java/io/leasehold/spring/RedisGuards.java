package io.leasehold.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;

/**
 * Makes room for a guard in the Redis containers that are beans, before others add their listeners: see {@link
 * GuardedRedisMessageListenerContainer} and {@link GuardedStreamMessageListenerContainer}. It is for the application context
 * to use, whose post-processors need not be safe for use by several threads; this one is.
 */
public final class RedisGuards implements BeanPostProcessor, BeanFactoryAware {
    private @Nullable ConfigurableListableBeanFactory beans;

    /** Knows nothing of any lease. */
    public RedisGuards() {}

    /**
     * Called by the context.
     *
     * @param beanFactory tells where a container comes from
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        if (beanFactory instanceof ConfigurableListableBeanFactory known) {
            beans = known;
        }
    }

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
            return new RedisRegistrations((RedisMessageListenerContainer) bean, isOfSpringBoot(beanName));
        }
        if (bean instanceof StreamMessageListenerContainer<?, ?> streams
                && !(bean instanceof GuardedStreamMessageListenerContainer<?, ?>)) {
            return GuardedStreamMessageListenerContainer.of(streams);
        }
        return bean;
    }

    /** Spring Boot's own bean method adds no listener. */
    private boolean isOfSpringBoot(String beanName) {
        if (beans == null || !beans.containsBeanDefinition(beanName)) {
            return false;
        }
        String configuration = beans.getBeanDefinition(beanName).getFactoryBeanName();
        return configuration != null && configuration.startsWith("org.springframework.boot.");
    }
}
