package io.leasehold.spring;

import io.leasehold.NotHolderException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.amqp.ImmediateRequeueAmqpException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * A RabbitMQ container with the guard in front of its listener, and once more in front of its interceptors: these may try a
 * message again, or settle it.
 *
 * <p>What a container has fetched beyond the message at hand goes back when it is stopped, instead of being handled one by
 * one: a simple container is told to stop by force, which closes its channel after that message; a direct one gives the
 * others back. Nothing else of the container is changed.
 */
final class RabbitContainer extends GuardedContainer<AbstractMessageListenerContainer> {
    private boolean gated;

    private RabbitContainer(String name, AbstractMessageListenerContainer container, MessageGuard guard) {
        super(name, container, guard);
    }

    /** The containers of every registry by their ids, and those that are beans by their names. */
    static Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards) {
        Map<String, ListenerContainer> found = new LinkedHashMap<>();
        for (RabbitListenerEndpointRegistry registry : beans.getBeansOfType(
                        RabbitListenerEndpointRegistry.class, false, false)
                .values()) {
            // Spring AMQP 4.0 and 4.1 have different types here: with neither named, one build runs with both.
            Collection<?> containers = registry.getListenerContainers();
            for (Object container : containers) {
                ListenerFinder.add(found, adapt((SmartLifecycle) container, guards));
            }
        }
        beans.getBeansOfType(AbstractMessageListenerContainer.class, false, false)
                .forEach((name, container) ->
                        ListenerFinder.add(found, new RabbitContainer(name, container, guards.get())));
        return found;
    }

    private static ListenerContainer adapt(SmartLifecycle container, Supplier<MessageGuard> guards) {
        return container instanceof AbstractMessageListenerContainer known
                ? new RabbitContainer(known.getListenerId(), known, guards.get())
                : new LifecycleBean(container.toString(), container);
    }

    @Override
    public void holdBack() {
        container.setAutoStartup(false);
        if (!gated) {
            gated = true;
            container.addAfterReceivePostProcessors(new Gate(this));
            if (container instanceof SimpleMessageListenerContainer) {
                container.setForceStop(true);
            }
        }
        MessageListener listener = container.getMessageListener();
        if (listener != null && !GuardedRabbitListener.isGuarded(listener)) {
            container.setMessageListener(GuardedRabbitListener.of(this, listener, container.getAcknowledgeMode()));
        }
    }

    /** False as soon as a stop has begun; the container's own answer changes only when it has ended. */
    @Override
    public boolean isRunning() {
        return container.isActive();
    }

    @Override
    public void start() {
        super.start();
        if (!container.isActive()) {
            throw new IllegalStateException("Listener " + name + " was being stopped while it was to start");
        }
    }

    /** Not by the container's own callback, which never comes where a start is still under way. */
    @Override
    public void stop(Runnable whenStopped) {
        container.stop();
        whenStopped.run();
    }

    /** The consumer threads of a stopped container count as well: one may be between a listener's return and the ack. */
    @Override
    public int inFlight() {
        int handled = guard.inFlight();
        return container instanceof SimpleMessageListenerContainer simple && !simple.isActive()
                ? Math.max(handled, simple.getActiveConsumerCount())
                : handled;
    }

    /** Before a message is handled; to be followed by {@link #leave()} if it returns. */
    void enter() {
        try {
            guard.enter(this);
        } catch (NotHolderException refused) {
            throw new ImmediateRequeueAmqpException(refused);
        }
    }

    void leave() {
        guard.leave();
    }

    /** Gives back what was fetched before a stop that has begun. */
    private void requireNotStopping() {
        if (!container.isActive()) {
            throw new ImmediateRequeueAmqpException("Listener " + name + " is being stopped");
        }
    }

    /** Refuses a message before any interceptor, or any other processor, has seen it. */
    private record Gate(RabbitContainer container) implements MessagePostProcessor, PriorityOrdered {

        @Override
        public Message postProcessMessage(Message message) {
            container.enter();
            container.leave();
            container.requireNotStopping();
            return message;
        }

        @Override
        public int getOrder() {
            return Ordered.HIGHEST_PRECEDENCE;
        }
    }
}
