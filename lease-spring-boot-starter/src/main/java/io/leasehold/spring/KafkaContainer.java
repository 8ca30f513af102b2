package io.leasehold.spring;

import io.leasehold.NotHolderException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * A Kafka container with the guard in front of its listener. It is told to stop at once: after the record at hand, instead of
 * after all that the last poll has returned. Nothing else of the container is changed.
 */
final class KafkaContainer extends GuardedContainer<AbstractMessageListenerContainer<?, ?>> {

    private KafkaContainer(String name, AbstractMessageListenerContainer<?, ?> container, MessageGuard guard) {
        super(name, container, guard);
    }

    /** The containers of every registry by their ids, and those that are beans by their names. */
    static Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards) {
        Map<String, ListenerContainer> found = new LinkedHashMap<>();
        beans.getBeansOfType(KafkaListenerEndpointRegistry.class, false, false)
                .values()
                .forEach(registry -> registry.getListenerContainerIds().forEach(id -> {
                    MessageListenerContainer container = registry.getListenerContainer(id);
                    if (container != null) {
                        ListenerFinder.add(found, adapt(id, container, guards));
                    }
                }));
        beans.getBeansOfType(MessageListenerContainer.class, false, false)
                .forEach((name, container) -> ListenerFinder.add(found, adapt(name, container, guards)));
        return found;
    }

    private static ListenerContainer adapt(
            String name, MessageListenerContainer container, Supplier<MessageGuard> guards) {
        return container instanceof AbstractMessageListenerContainer<?, ?> known
                ? new KafkaContainer(name, known, guards.get())
                : new LifecycleBean(name, container);
    }

    @Override
    public void holdBack() {
        container.setAutoStartup(false);
        ContainerProperties properties = container.getContainerProperties();
        properties.setStopImmediate(true);
        Object listener = properties.getMessageListener();
        if (listener != null && !GuardedKafkaListener.isGuarded(listener)) {
            properties.setMessageListener(GuardedKafkaListener.of(this, listener));
        }
    }

    /** The callback comes when the consumer's thread has ended, after its last commit, however long that takes. */
    @Override
    public void stop(Runnable whenStopped) {
        container.stop(whenStopped);
    }

    /** Before records are handled; to be followed by {@link #leave()} if it returns. */
    void enter() {
        try {
            guard.enter(this);
        } catch (NotHolderException refused) {
            throw new RefusedRecord(refused);
        }
    }

    void leave() {
        guard.leave();
    }

    /**
     * Ends the consumer without a commit. An exception would go to the application's error handler, which may skip the record
     * or send it elsewhere; a container gives no error to anybody.
     */
    private static final class RefusedRecord extends Error {
        private static final long serialVersionUID = 1L;

        RefusedRecord(NotHolderException refused) {
            super(refused.getMessage(), refused);
        }
    }
}
