package io.leasehold.spring;

import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/**
 * A Redis container for a lease to guard: used in place of a {@link RedisMessageListenerContainer} and set up like one, it
 * has every listener guarded and waited for, wherever that was added. As safe for use by several threads as that class.
 *
 * <p>While it follows a lease, a message that arrives, or is still queued for a thread, when this process does not hold the
 * lease is dropped and counted: a channel keeps nothing, and nobody else will be given it. If it follows none, it is a
 * {@link RedisMessageListenerContainer} and nothing more.
 *
 * <p>A plain {@link RedisMessageListenerContainer} bean that follows a lease is held back, started and stopped with it all
 * the same, and every listener that other beans add to it is guarded and waited for, which those of {@code @RedisListener}
 * methods are. Those that its own bean method has added before it returned, and those of a subclass, are not: such a
 * listener may handle a message after the lease was released.
 */
public class GuardedRedisMessageListenerContainer extends RedisMessageListenerContainer {
    private final LateGuard guard = new LateGuard();

    /** Like that of the superclass. */
    public GuardedRedisMessageListenerContainer() {}

    /** Handles the message if the lease is held. */
    @Override
    protected void processMessage(MessageListener listener, Message message, byte[] source) {
        guard.handleOrDrop(() -> super.processMessage(listener, message, source));
    }

    LateGuard guard() {
        return guard;
    }
}
