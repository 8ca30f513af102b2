package io.leasehold.spring;

import com.rabbitmq.client.Channel;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.BatchMessageListener;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.connection.RabbitUtils;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.amqp.rabbit.support.ActiveObjectCounter;
import org.springframework.amqp.rabbit.support.ListenerContainerAware;

/**
 * The application's listener behind the guard, of the same kind as that listener: with or without a channel, for messages or
 * for batches. Containers treat each kind differently.
 */
final class GuardedRabbitListener {
    private GuardedRabbitListener() {}

    static MessageListener of(RabbitContainer container, MessageListener listener, AcknowledgeMode mode) {
        if (listener instanceof ChannelAwareBatchMessageListener batch) {
            return new ChannelAwareBatch(container, batch, mode);
        }
        if (listener instanceof ChannelAwareMessageListener aware) {
            return new ChannelAware(container, aware, mode);
        }
        if (listener instanceof BatchMessageListener batch) {
            return new PlainBatch(container, batch);
        }
        return new Plain(container, listener);
    }

    static boolean isGuarded(MessageListener listener) {
        return listener instanceof Guarded;
    }

    /** A container looks for these at a listener that waits for replies; without them there is nothing to wait for. */
    private interface Guarded extends ListenerContainerAware {

        MessageListener listener();

        @Override
        @SuppressWarnings("NullAway") // The container leaves the check out where there is none to make.
        default Collection<String> expectedQueueNames() {
            return listener() instanceof ListenerContainerAware aware ? aware.expectedQueueNames() : null;
        }

        @Override
        default @Nullable ActiveObjectCounter<Object> getPendingReplyCounter() {
            return listener() instanceof ListenerContainerAware aware ? aware.getPendingReplyCounter() : null;
        }
    }

    private static class Plain implements MessageListener, Guarded {
        final RabbitContainer container;
        final MessageListener listener;

        Plain(RabbitContainer container, MessageListener listener) {
            this.container = container;
            this.listener = listener;
        }

        @Override
        public MessageListener listener() {
            return listener;
        }

        @Override
        public void onMessage(Message message) {
            container.enter();
            try {
                listener.onMessage(message);
            } finally {
                container.leave();
            }
        }

        @Override
        public void onMessageBatch(List<Message> messages) {
            container.enter();
            try {
                listener.onMessageBatch(messages);
            } finally {
                container.leave();
            }
        }

        @Override
        public void containerAckMode(AcknowledgeMode mode) {
            listener.containerAckMode(mode);
        }

        @Override
        public boolean isAsyncReplies() {
            return listener.isAsyncReplies();
        }
    }

    private static final class PlainBatch extends Plain implements BatchMessageListener {
        PlainBatch(RabbitContainer container, BatchMessageListener listener) {
            super(container, listener);
        }

        @Override
        public void onMessage(Message message) {
            super.onMessage(message);
        }
    }

    /** Derived from the adapters' class only because a container asks that class who settles a message. */
    private static class ChannelAware extends AbstractAdaptableMessageListener implements Guarded {
        private final RabbitContainer container;
        private final ChannelAwareMessageListener listener;

        ChannelAware(RabbitContainer container, ChannelAwareMessageListener listener, AcknowledgeMode mode) {
            this.container = container;
            this.listener = listener;
            super.containerAckMode(mode);
        }

        @Override
        public MessageListener listener() {
            return listener;
        }

        @Override
        public void onMessage(Message message, @Nullable Channel channel) throws Exception {
            enter(channel);
            try {
                listener.onMessage(message, channel);
            } finally {
                container.leave();
            }
        }

        @Override
        public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
            enter(channel);
            try {
                listener.onMessageBatch(messages, channel);
            } finally {
                container.leave();
            }
        }

        /** By closing the channel what has been refused goes back, whatever an interceptor makes of the exception. */
        private void enter(@Nullable Channel channel) {
            try {
                container.enter();
            } catch (ImmediateRequeueAmqpException refused) {
                if (channel != null) {
                    RabbitUtils.setPhysicalCloseRequired(channel, true);
                    RabbitUtils.closeChannel(channel);
                }
                throw refused;
            }
        }

        @Override
        public void containerAckMode(AcknowledgeMode mode) {
            super.containerAckMode(mode);
            listener.containerAckMode(mode);
        }

        @Override
        public boolean isAsyncReplies() {
            return listener.isAsyncReplies();
        }

        /** As the annotated method's own adapter answers, as far as can be seen; the older versions do not ask. */
        @SuppressWarnings({"MissingOverride", "UnusedMethod", "EffectivelyPrivate"})
        public boolean maySettleDelivery() {
            return isManualAck() || isAsyncReplies() || !(listener instanceof AbstractAdaptableMessageListener);
        }
    }

    private static final class ChannelAwareBatch extends ChannelAware implements ChannelAwareBatchMessageListener {
        ChannelAwareBatch(RabbitContainer container, ChannelAwareBatchMessageListener listener, AcknowledgeMode mode) {
            super(container, listener, mode);
        }

        @Override
        public void onMessage(Message message, @Nullable Channel channel) throws Exception {
            super.onMessage(message, channel);
        }

        @Override
        public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
            super.onMessageBatch(messages, channel);
        }

        @Override
        public boolean maySettleDelivery() {
            return true;
        }
    }
}
