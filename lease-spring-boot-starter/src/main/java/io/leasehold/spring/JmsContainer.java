package io.leasehold.spring;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.MessageListenerContainer;
import org.springframework.jms.listener.SessionAwareMessageListener;
import org.springframework.jms.listener.SimpleMessageListenerContainer;

/** A JMS container with the guard in front of its listener. */
final class JmsContainer extends GuardedContainer<AbstractMessageListenerContainer> {
    private static final Logger LOG = LoggerFactory.getLogger(JmsContainer.class);

    private JmsContainer(String name, AbstractMessageListenerContainer container, MessageGuard guard) {
        super(name, container, guard);
    }

    /** The containers of every registry by their ids, and those that are beans by their names. */
    static Map<String, ListenerContainer> find(ListableBeanFactory beans, Supplier<MessageGuard> guards) {
        Map<String, ListenerContainer> found = new LinkedHashMap<>();
        beans.getBeansOfType(JmsListenerEndpointRegistry.class, false, false)
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
        return container instanceof AbstractMessageListenerContainer known
                ? new JmsContainer(name, known, guards.get())
                : new LifecycleBean(name, container);
    }

    @Override
    public void holdBack() {
        container.setAutoStartup(false);
        Object listener = container.getMessageListener();
        if (listener != null && !(listener instanceof Guarded)) {
            container.setMessageListener(new Guarded(this, listener));
            if (container instanceof SimpleMessageListenerContainer) {
                LOG.warn(
                        "Listener {} runs in a SimpleMessageListenerContainer: while stopped it keeps its consumer, and"
                                + " what the broker has sent to it waits there; prefer a DefaultMessageListenerContainer",
                        name);
            }
        }
    }

    /** A consumer thread of a stopped container counts as well: it may be between a listener's return and the commit. */
    @Override
    public int inFlight() {
        int handled = guard.inFlight();
        return container instanceof DefaultMessageListenerContainer polling && !polling.isRunning()
                ? Math.max(handled, polling.getActiveConsumerCount())
                : handled;
    }

    /** The application's listener behind the guard. */
    private record Guarded(JmsContainer container, Object listener) implements SessionAwareMessageListener<Message> {

        @Override
        public void onMessage(Message message, Session session) throws JMSException {
            container.guard.enter(container);
            try {
                deliver(message, session);
            } finally {
                container.guard.leave();
            }
        }

        @SuppressWarnings("unchecked")
        private void deliver(Message message, Session session) throws JMSException {
            if (listener instanceof SessionAwareMessageListener<?> aware) {
                ((SessionAwareMessageListener<Message>) aware).onMessage(message, session);
            } else {
                ((MessageListener) listener).onMessage(message);
            }
        }
    }
}
