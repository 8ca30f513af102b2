package io.leasehold.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/** A Redis container, with the guard wherever {@link GuardedRedisMessageListenerContainer} says. */
final class RedisContainer extends GuardedContainer<RedisMessageListenerContainer> {
    private static final Logger LOG = LoggerFactory.getLogger(RedisContainer.class);

    private boolean guarded;

    private RedisContainer(String name, RedisMessageListenerContainer container, MessageGuard guard) {
        super(name, container, guard);
    }

    /** The containers that are beans, by their names. */
    static Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards) {
        Map<String, ListenerContainer> found = new LinkedHashMap<>();
        beans.getBeansOfType(RedisMessageListenerContainer.class, false, false)
                .forEach((name, container) -> found.put(name, new RedisContainer(name, container, guards.get())));
        return found;
    }

    @Override
    public synchronized void holdBack() {
        container.setAutoStartup(false);
        if (guarded) {
            return;
        }
        guarded = true;
        if (container instanceof GuardedRedisMessageListenerContainer every) {
            every.guard().set(this, guard);
        } else if (container instanceof RedisRegistrations added) {
            added.guard().set(this, guard);
            if (!added.isComplete()) {
                warn("what its own bean method has added to it is");
            }
        } else {
            warn("its listeners are");
        }
    }

    @Override
    public boolean isListed() {
        return !(container instanceof RedisRegistrations added && added.isEmpty());
    }

    private void warn(String what) {
        LOG.warn(
                "Listener {}: {} neither guarded nor waited for; let the container be a"
                        + " GuardedRedisMessageListenerContainer, and this cannot happen",
                name,
                what);
    }
}
