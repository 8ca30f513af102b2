package io.leasehold.spring;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.listener.Topic;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.util.ErrorHandler;
import org.springframework.util.backoff.BackOff;

/** A container that others have set up, with the guard in front of each listener that is added from now on. */
final class RedisRegistrations extends RedisMessageListenerContainer {
    private final RedisMessageListenerContainer container;
    private final boolean complete;
    private final Set<MessageListener> added = ConcurrentHashMap.newKeySet();
    private final LateGuard guard = new LateGuard();

    /**
     * Of a container that has been initialized.
     *
     * @param complete whether no listener was added to it before
     */
    RedisRegistrations(RedisMessageListenerContainer container, boolean complete) {
        this.container = container;
        this.complete = complete;
        RedisConnectionFactory connections = container.getConnectionFactory();
        if (connections != null) {
            super.setConnectionFactory(connections);
        }
        // isActive() is final, and tells whether this was called. It starts nothing.
        super.afterPropertiesSet();
    }

    LateGuard guard() {
        return guard;
    }

    boolean isComplete() {
        return complete;
    }

    /** Whether no listener was ever added. */
    boolean isEmpty() {
        return complete && added.isEmpty();
    }

    @Override
    public void addMessageListener(MessageListener listener, Collection<? extends Topic> topics) {
        container.addMessageListener(guarded(listener), topics);
    }

    @Override
    public void addMessageListener(MessageListener listener, Topic topic) {
        container.addMessageListener(guarded(listener), topic);
    }

    @Override
    public void setMessageListeners(Map<? extends MessageListener, Collection<? extends Topic>> listeners) {
        Map<MessageListener, Collection<? extends Topic>> guarded = new LinkedHashMap<>();
        listeners.forEach((listener, topics) -> guarded.put(guarded(listener), topics));
        container.setMessageListeners(guarded);
    }

    /**
     * One that was added before this object was made is known by itself. None stands for all in Spring Data Redis 4.0, and
     * is refused in 4.1.
     */
    @Override
    @SuppressWarnings("NullAway")
    public void removeMessageListener(@Nullable MessageListener listener, Collection<? extends Topic> topics) {
        if (listener != null) {
            container.removeMessageListener(new Guarded(guard, listener), topics);
        }
        container.removeMessageListener(listener, topics);
    }

    /** As with several topics. */
    @Override
    @SuppressWarnings("NullAway")
    public void removeMessageListener(@Nullable MessageListener listener, Topic topic) {
        if (listener != null) {
            container.removeMessageListener(new Guarded(guard, listener), topic);
        }
        container.removeMessageListener(listener, topic);
    }

    @Override
    public void removeMessageListener(MessageListener listener) {
        container.removeMessageListener(new Guarded(guard, listener));
        container.removeMessageListener(listener);
    }

    @Override
    public void start() {
        container.start();
    }

    @Override
    public void stop() {
        container.stop();
    }

    @Override
    public void stop(Runnable callback) {
        container.stop(callback);
    }

    @Override
    public boolean isRunning() {
        return container.isRunning();
    }

    @Override
    public boolean isListening() {
        return container.isListening();
    }

    @Override
    public int getPhase() {
        return container.getPhase();
    }

    @Override
    public void setPhase(int phase) {
        container.setPhase(phase);
    }

    @Override
    public boolean isAutoStartup() {
        return container.isAutoStartup();
    }

    @Override
    public void setAutoStartup(boolean autoStartup) {
        container.setAutoStartup(autoStartup);
    }

    @Override
    public void setErrorHandler(ErrorHandler errorHandler) {
        container.setErrorHandler(errorHandler);
    }

    @Override
    public void setSubscriptionExecutor(Executor subscriptionExecutor) {
        container.setSubscriptionExecutor(subscriptionExecutor);
    }

    @Override
    public void setTaskExecutor(Executor taskExecutor) {
        container.setTaskExecutor(taskExecutor);
    }

    @Override
    public @Nullable RedisConnectionFactory getConnectionFactory() {
        return container.getConnectionFactory();
    }

    @Override
    public void setConnectionFactory(RedisConnectionFactory connectionFactory) {
        container.setConnectionFactory(connectionFactory);
    }

    @Override
    public void setTopicSerializer(RedisSerializer<String> serializer) {
        container.setTopicSerializer(serializer);
    }

    @Override
    public long getMaxSubscriptionRegistrationWaitingTime() {
        return container.getMaxSubscriptionRegistrationWaitingTime();
    }

    @Override
    public void setMaxSubscriptionRegistrationWaitingTime(long milliseconds) {
        container.setMaxSubscriptionRegistrationWaitingTime(milliseconds);
    }

    @Override
    public void setRecoveryInterval(long milliseconds) {
        container.setRecoveryInterval(milliseconds);
    }

    @Override
    public void setRecoveryBackoff(BackOff recoveryInterval) {
        container.setRecoveryBackoff(recoveryInterval);
    }

    private Guarded guarded(MessageListener listener) {
        Guarded guarded = new Guarded(guard, listener);
        added.add(guarded);
        return guarded;
    }

    /** A listener behind the guard; equal to another of the same listener, so that it can be removed. */
    private record Guarded(LateGuard guard, MessageListener listener) implements MessageListener, SubscriptionListener {

        @Override
        public void onMessage(Message message, byte @Nullable [] pattern) {
            guard.handleOrDrop(() -> listener.onMessage(message, pattern));
        }

        @Override
        public void onChannelSubscribed(byte[] channel, long count) {
            if (listener instanceof SubscriptionListener subscriptions) {
                subscriptions.onChannelSubscribed(channel, count);
            }
        }

        @Override
        public void onChannelUnsubscribed(byte[] channel, long count) {
            if (listener instanceof SubscriptionListener subscriptions) {
                subscriptions.onChannelUnsubscribed(channel, count);
            }
        }

        @Override
        public void onPatternSubscribed(byte[] pattern, long count) {
            if (listener instanceof SubscriptionListener subscriptions) {
                subscriptions.onPatternSubscribed(pattern, count);
            }
        }

        @Override
        public void onPatternUnsubscribed(byte[] pattern, long count) {
            if (listener instanceof SubscriptionListener subscriptions) {
                subscriptions.onPatternUnsubscribed(pattern, count);
            }
        }
    }
}
