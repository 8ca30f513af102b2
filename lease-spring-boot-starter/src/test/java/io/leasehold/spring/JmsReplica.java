package io.leasehold.spring;

import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.MessageListenerContainer;

/** An application as a user would write it: a listener, the starter, and five properties. */
record JmsReplica(ConfigurableApplicationContext context, LeaderLease lease, Received received)
        implements AutoCloseable {
    static final String DESTINATION = "orders";

    /** The drain timeout is above the second that a container's consumers may take to see that they are stopped. */
    private static final String[] SHORT = {
        "lease.name=orders", "lease.ttl=3s", "lease.renew-interval=150ms", "lease.drain-timeout=1500ms",
    };

    static JmsReplica start(String directory, Consumer<String> work, String... properties) {
        return start(directory, work, context -> {}, properties);
    }

    static JmsReplica start(
            String directory,
            Consumer<String> work,
            Consumer<GenericApplicationContext> customizer,
            String... properties) {
        Received received = new Received(work);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(SHORT)
                .properties(
                        "spring.main.banner-mode=off",
                        "spring.artemis.mode=native",
                        "spring.artemis.embedded.enabled=false",
                        "spring.artemis.broker-url=" + Broker.URL,
                        "spring.jms.pub-sub-domain=true",
                        "lease.file.path=" + directory)
                .properties(properties)
                .initializers(created -> {
                    GenericApplicationContext generic = (GenericApplicationContext) created;
                    generic.registerBean(Received.class, () -> received);
                    customizer.accept(generic);
                })
                .run();
        return new JmsReplica(context, context.getBean(LeaderLease.class), received);
    }

    MessageListenerContainer container() {
        MessageListenerContainer container =
                context.getBean(JmsListenerEndpointRegistry.class).getListenerContainer("orders");
        if (container == null) {
            throw new AssertionError("no listener 'orders'");
        }
        return container;
    }

    LeaseListeners listeners() {
        return context.getBean(LeaseListeners.class);
    }

    @Override
    public void close() {
        context.close();
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** The listener: what it was given, and what it has finished. */
    static final class Received {
        private final Consumer<String> work;
        private final List<String> begun = new CopyOnWriteArrayList<>();
        private final List<String> done = new CopyOnWriteArrayList<>();

        Received(Consumer<String> work) {
            this.work = work;
        }

        @JmsListener(id = "orders", destination = DESTINATION)
        void receive(String text) {
            begun.add(text);
            work.accept(text);
            done.add(text);
        }

        List<String> begun() {
            return begun;
        }

        List<String> done() {
            return done;
        }
    }
}
