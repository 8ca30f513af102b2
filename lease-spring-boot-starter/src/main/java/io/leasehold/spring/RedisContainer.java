package io.leasehold.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/** A Redis container, with the guard wherever {@link GuardedRedisMessageListenerContainer} says. */
final class RedisContainer implements ListenerContainer {
    private static final Logger LOG = LoggerFactory.getLogger(RedisContainer.class);

    private final String name;
    private final RedisMessageListenerContainer container;
    private final MessageGuard guard;
    private boolean guarded;

    private RedisContainer(String name, RedisMessageListenerContainer container, MessageGuard guard) {
        this.name = name;
        this.container = container;
        this.guard = guard;
    }

    /** The containers that are beans, by their names. */
    static Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards) {
        Map<String, ListenerContainer> found = new LinkedHashMap<>();
        beans.getBeansOfType(RedisMessageListenerContainer.class, false, false)
                .forEach((name, container) -> found.put(name, new RedisContainer(name, container, guards.get())));
        return found;
    }

    @Override
    public String name() {
        return name;
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
    public boolean startsByItself() {
        return container.isAutoStartup();
    }

    @Override
    public boolean isRunning() {
        return container.isRunning();
    }

    /** A container whose start has failed counts as running and does nothing; only a stop lets it be started again. */
    @Override
    public void start() {
        try {
            container.start();
        } catch (RuntimeException e) {
            container.stop();
            throw e;
        }
    }

    /** Not by the container's own callback: it never comes when the container has stopped, and does not wait for listeners. */
    @Override
    public void stop(Runnable whenStopped) {
        container.stop();
        awaitQuiet();
        whenStopped.run();
    }

    @Override
    public int inFlight() {
        return guard.inFlight();
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
