package io.leasehold.spring;

import io.leasehold.NotHolderException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.data.redis.connection.stream.Record;
import org.springframework.data.redis.stream.Cancelable;
import org.springframework.data.redis.stream.StreamListener;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;
import org.springframework.data.redis.stream.Subscription;

/**
 * A container of Redis streams for a lease to guard: every subscription that is made through it is guarded, waited for, and
 * resumed in each term. Safe for use by several threads.
 *
 * <p>A {@link StreamMessageListenerContainer} bean is put into one of these when its bean method returns. What that method
 * itself subscribes to is guarded only if it does so through one: {@code
 * GuardedStreamMessageListenerContainer.of(StreamMessageListenerContainer.create(connections, options))}. Otherwise its
 * entries may be handled after the lease was released.
 *
 * <p>An entry that is refused because this process does not hold the lease is not acknowledged. A subscription with a
 * consumer leaves it in its group's pending list, where the application has to look for it, as it has to after a crash; one
 * with automatic acknowledgement loses it, and so does one without a consumer in this process, whose read offset is past it.
 * By default the subscription then ends until the next term, as it does after every error: see {@code cancelOnError} of the
 * read request.
 *
 * @param <K> the type of the stream's key
 * @param <V> the type of its records
 */
public final class GuardedStreamMessageListenerContainer<K, V extends Record<K, ?>>
        implements StreamMessageListenerContainer<K, V> {
    private final StreamMessageListenerContainer<K, V> container;
    private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();
    private final LateGuard guard = new LateGuard();

    private GuardedStreamMessageListenerContainer(StreamMessageListenerContainer<K, V> container) {
        this.container = container;
    }

    /**
     * With a guard in front of the listeners that are registered from now on.
     *
     * @param container the container that reads the streams
     * @param <K> the type of the stream's key
     * @param <V> the type of its records
     * @return a container to register listeners with, and the bean
     */
    public static <K, V extends Record<K, ?>> GuardedStreamMessageListenerContainer<K, V> of(
            StreamMessageListenerContainer<K, V> container) {
        return new GuardedStreamMessageListenerContainer<>(container);
    }

    @Override
    public Subscription register(StreamReadRequest<K> streamRequest, StreamListener<K, V> listener) {
        Subscription subscription = container.register(streamRequest, message -> handle(listener, message));
        subscriptions.add(subscription);
        return subscription;
    }

    @Override
    public void remove(Subscription subscription) {
        container.remove(subscription);
        subscriptions.remove(subscription);
    }

    /** False as soon as it follows a lease. */
    @Override
    public boolean isAutoStartup() {
        return !guard.isSet() && container.isAutoStartup();
    }

    @Override
    public void start() {
        container.start();
    }

    /**
     * Does not wait for listeners, nor for a read that is blocked; a subscription that is still at it is not resumed by
     * a start.
     */
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
    public int getPhase() {
        return container.getPhase();
    }

    LateGuard guard() {
        return guard;
    }

    /** How many subscriptions are reading or handling what they have read. */
    int active() {
        return (int) subscriptions.stream().filter(Subscription::isActive).count();
    }

    /** Ends what a thread pool has begun only after the stop that was to end it. */
    void cancelStrays() {
        if (!container.isRunning()) {
            subscriptions.stream().filter(Subscription::isActive).forEach(Cancelable::cancel);
        }
    }

    private void handle(StreamListener<K, V> listener, V message) {
        try {
            guard.handleOrRefuse(() -> listener.onMessage(message));
        } catch (NotHolderException e) {
            cancelStrays();
            throw e;
        }
    }
}
