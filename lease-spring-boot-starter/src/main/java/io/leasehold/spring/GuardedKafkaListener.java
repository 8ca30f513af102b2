package io.leasehold.spring;

import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ConsumerSeekAware;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.listener.adapter.AbstractDelegatingMessageListenerAdapter;
import org.springframework.kafka.support.Acknowledgment;

/**
 * The application's listener behind the guard. A container looks at the innermost listener for what to call, and so each call
 * is passed on as it is.
 */
abstract class GuardedKafkaListener<T, L extends GenericMessageListener<T>>
        extends AbstractDelegatingMessageListenerAdapter<L> implements GenericMessageListener<T> {
    private final KafkaContainer container;

    private GuardedKafkaListener(KafkaContainer container, L listener) {
        super(listener);
        this.container = container;
    }

    static Object of(KafkaContainer container, Object listener) {
        if (listener instanceof BatchMessageListener<?, ?> batches) {
            return new Batches<>(container, batches);
        }
        if (listener instanceof MessageListener<?, ?> records) {
            return new Records<>(container, records);
        }
        // Left to the container, which refuses to start with it.
        return listener;
    }

    static boolean isGuarded(Object listener) {
        return listener instanceof GuardedKafkaListener<?, ?>;
    }

    @Override
    public void onMessage(T data) {
        guarded(() -> delegate.onMessage(data));
    }

    @Override
    public void onMessage(T data, @Nullable Acknowledgment acknowledgment) {
        guarded(() -> delegate.onMessage(data, acknowledgment));
    }

    @Override
    public void onMessage(T data, @Nullable Consumer<?, ?> consumer) {
        guarded(() -> delegate.onMessage(data, consumer));
    }

    @Override
    public void onMessage(T data, @Nullable Acknowledgment acknowledgment, @Nullable Consumer<?, ?> consumer) {
        guarded(() -> delegate.onMessage(data, acknowledgment, consumer));
    }

    @Override
    public void onFirstPoll() {
        if (delegate instanceof ConsumerSeekAware seeking) {
            seeking.onFirstPoll();
        }
    }

    @Override
    public void unregisterSeekCallback() {
        if (delegate instanceof ConsumerSeekAware seeking) {
            seeking.unregisterSeekCallback();
        }
    }

    final void guarded(Runnable call) {
        container.enter();
        try {
            call.run();
        } finally {
            container.leave();
        }
    }

    private static final class Records<K, V> extends GuardedKafkaListener<ConsumerRecord<K, V>, MessageListener<K, V>>
            implements MessageListener<K, V> {
        Records(KafkaContainer container, MessageListener<K, V> listener) {
            super(container, listener);
        }
    }

    private static final class Batches<K, V>
            extends GuardedKafkaListener<List<ConsumerRecord<K, V>>, BatchMessageListener<K, V>>
            implements BatchMessageListener<K, V> {
        Batches(KafkaContainer container, BatchMessageListener<K, V> listener) {
            super(container, listener);
        }

        @Override
        public boolean wantsPollResult() {
            return delegate.wantsPollResult();
        }

        @Override
        public void onMessage(
                ConsumerRecords<K, V> records, @Nullable Acknowledgment acknowledgment, Consumer<K, V> consumer) {
            guarded(() -> delegate.onMessage(records, acknowledgment, consumer));
        }
    }
}
