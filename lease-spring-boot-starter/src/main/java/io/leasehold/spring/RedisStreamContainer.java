package io.leasehold.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;

/** A container of Redis streams with the guard in front of its subscriptions. */
final class RedisStreamContainer extends GuardedContainer<GuardedStreamMessageListenerContainer<?, ?>> {
    private static final long LOOK_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private RedisStreamContainer(
            String name, GuardedStreamMessageListenerContainer<?, ?> container, MessageGuard guard) {
        super(name, container, guard);
    }

    /** The containers that are beans, by their names. */
    static Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards) {
        Map<String, ListenerContainer> found = new LinkedHashMap<>();
        beans.getBeansOfType(StreamMessageListenerContainer.class, false, false)
                .forEach((name, container) -> found.put(name, adapt(name, container, guards)));
        return found;
    }

    private static ListenerContainer adapt(
            String name, StreamMessageListenerContainer<?, ?> container, Supplier<MessageGuard> guards) {
        return container instanceof GuardedStreamMessageListenerContainer<?, ?> guarded
                ? new RedisStreamContainer(name, guarded, guards.get())
                : new LifecycleBean(name, container);
    }

    @Override
    public void holdBack() {
        container.guard().set(this, guard);
    }

    /** A subscription that was still reading when the container is started again would never be resumed. */
    @Override
    public void stop(Runnable whenStopped) {
        container.stop();
        while (!container.isRunning() && inFlight() > 0) {
            container.cancelStrays();
            LockSupport.parkNanos(LOOK_AGAIN_NS);
        }
        whenStopped.run();
    }

    /** A subscription of a stopped container counts as well: it may have an entry that it has not handed on yet. */
    @Override
    public int inFlight() {
        int handled = guard.inFlight();
        return container.isRunning() ? handled : Math.max(handled, container.active());
    }
}
