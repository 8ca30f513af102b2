package io.leasehold.spring;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.pulsar.listener.Acknowledgement;
import org.springframework.pulsar.listener.MessageListenerContainer;
import org.springframework.pulsar.listener.PulsarAcknowledgingMessageListener;
import org.springframework.pulsar.listener.PulsarBatchAcknowledgingMessageListener;
import org.springframework.pulsar.listener.PulsarBatchMessageListener;
import org.springframework.pulsar.listener.PulsarListenerContainerRegistry;
import org.springframework.pulsar.listener.PulsarMessageListenerContainer;
import org.springframework.pulsar.listener.PulsarRecordMessageListener;

/** A Pulsar container with the guard in front of its listener. Reactive containers and readers have no guard. */
final class PulsarContainer extends GuardedContainer<MessageListenerContainer> {
    private static final Logger LOG = LoggerFactory.getLogger(PulsarContainer.class);

    private volatile boolean warned;

    private PulsarContainer(String name, MessageListenerContainer container, MessageGuard guard) {
        super(name, container, guard);
    }

    /** The containers of every registry by their ids, and those that are beans by their names. */
    static Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards) {
        Map<String, ListenerContainer> found = new LinkedHashMap<>();
        beans.getBeansOfType(PulsarListenerContainerRegistry.class, false, false)
                .values()
                .forEach(registry -> registry.getListenerContainerIds().forEach(id -> {
                    MessageListenerContainer container = registry.getListenerContainer(id);
                    if (container != null) {
                        ListenerFinder.add(found, new PulsarContainer(id, container, guards.get()));
                    }
                }));
        beans.getBeansOfType(MessageListenerContainer.class, false, false)
                .forEach((name, container) ->
                        ListenerFinder.add(found, new PulsarContainer(name, container, guards.get())));
        return found;
    }

    @Override
    public void holdBack() {
        container.setAutoStartup(false);
        if (container instanceof PulsarMessageListenerContainer known) {
            Object listener = known.getContainerProperties().getMessageListener();
            if (listener instanceof PulsarRecordMessageListener<?> records && !(listener instanceof Guarded)) {
                known.setupMessageListener(guarded(records));
            }
        } else if (!warned) {
            warned = true;
            LOG.warn(
                    "Listener {}: a {} has no place for a guard",
                    name,
                    container.getClass().getName());
        }
    }

    private void run(Runnable handling) {
        guard.enter(this);
        try {
            handling.run();
        } finally {
            guard.leave();
        }
    }

    /** As a listener of the same kind: the container asks for it. */
    private <T> PulsarRecordMessageListener<T> guarded(PulsarRecordMessageListener<T> listener) {
        if (listener instanceof PulsarBatchAcknowledgingMessageListener<T> acknowledging) {
            return new GuardedAcknowledgingBatches<>(this, acknowledging);
        }
        if (listener instanceof PulsarBatchMessageListener<T> batches) {
            return new GuardedBatches<>(this, batches);
        }
        if (listener instanceof PulsarAcknowledgingMessageListener<T> acknowledging) {
            return new GuardedAcknowledgingRecords<>(this, acknowledging);
        }
        return new GuardedRecords<>(this, listener);
    }

    /** The application's listener behind the guard. */
    private sealed interface Guarded
            permits GuardedRecords, GuardedAcknowledgingRecords, GuardedBatches, GuardedAcknowledgingBatches {}

    private record GuardedRecords<T>(PulsarContainer container, PulsarRecordMessageListener<T> listener)
            implements PulsarRecordMessageListener<T>, Guarded {

        @Override
        public void received(Consumer<T> consumer, Message<T> message) {
            container.run(() -> listener.received(consumer, message));
        }
    }

    private record GuardedAcknowledgingRecords<T>(
            PulsarContainer container, PulsarAcknowledgingMessageListener<T> listener)
            implements PulsarAcknowledgingMessageListener<T>, Guarded {

        @Override
        public void received(Consumer<T> consumer, Message<T> message, Acknowledgement acknowledgement) {
            container.run(() -> listener.received(consumer, message, acknowledgement));
        }
    }

    private record GuardedBatches<T>(PulsarContainer container, PulsarBatchMessageListener<T> listener)
            implements PulsarBatchMessageListener<T>, Guarded {

        @Override
        public void received(Consumer<T> consumer, List<Message<T>> messages) {
            container.run(() -> listener.received(consumer, messages));
        }
    }

    private record GuardedAcknowledgingBatches<T>(
            PulsarContainer container, PulsarBatchAcknowledgingMessageListener<T> listener)
            implements PulsarBatchAcknowledgingMessageListener<T>, Guarded {

        @Override
        public void received(Consumer<T> consumer, List<Message<T>> messages, Acknowledgement acknowledgement) {
            container.run(() -> listener.received(consumer, messages, acknowledgement));
        }
    }
}
