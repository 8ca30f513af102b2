package io.leasehold.spring;

import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;

/** One listener technology as {@link ListenerContract} needs it: a real broker, and an application that listens there. */
interface ListenerTechnology extends AutoCloseable {

    /** Started again after a stop it has the address that it had before. */
    void startBroker() throws Exception;

    /** At once, whoever is connected. */
    void stopBroker() throws Exception;

    /** Stops the broker for good. */
    @Override
    default void close() throws Exception {
        stopBroker();
    }

    /** Whether a message stays at the broker until a listener has handled it. */
    boolean keepsMessages();

    /** What an application sets so that it connects to the broker. The contract adds the property {@code destination}. */
    String[] properties();

    /**
     * Registers a bean with a listener of the id {@code orders} for the destination {@code ${destination}}, as an
     * application would write it; nothing more, if what the broker lacks is created when something is published.
     */
    void addListener(GenericApplicationContext context, Consumer<String> handler);

    /** The container of that listener. */
    SmartLifecycle container(ApplicationContext context);

    /** Returns when the broker has the message. */
    void publish(String destination, String text);
}
