package io.leasehold.spring;

import java.util.Objects;
import java.util.function.Consumer;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.core.JmsTemplate;

/** JMS, with a queue or a topic, and a real broker in this process apart from all applications. */
final class JmsTechnology implements ListenerTechnology {
    static final String URL = "vm://4711";

    private final boolean topic;
    private @Nullable EmbeddedActiveMQ broker;

    JmsTechnology(boolean topic) {
        this.topic = topic;
    }

    @Override
    public void startBroker() throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setPersistenceEnabled(false);
        configuration.setSecurityEnabled(false);
        configuration.addAcceptorConfiguration("in-vm", URL);
        broker = new EmbeddedActiveMQ();
        broker.setConfiguration(configuration);
        broker.start();
    }

    @Override
    public void stopBroker() throws Exception {
        if (broker != null) {
            broker.stop();
            broker = null;
        }
    }

    @Override
    public boolean keepsMessages() {
        return !topic;
    }

    @Override
    public String[] properties() {
        return new String[] {
            "spring.artemis.mode=native",
            "spring.artemis.embedded.enabled=false",
            "spring.artemis.broker-url=" + URL,
            "spring.jms.pub-sub-domain=" + topic,
        };
    }

    @Override
    public void addListener(GenericApplicationContext context, Consumer<String> handler) {
        context.registerBean(Orders.class, () -> new Orders(handler));
    }

    @Override
    public SmartLifecycle container(ApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean(JmsListenerEndpointRegistry.class).getListenerContainer("orders"));
    }

    @Override
    public void publish(String destination, String text) {
        try (ActiveMQConnectionFactory connections = new ActiveMQConnectionFactory(URL)) {
            JmsTemplate template = new JmsTemplate(connections);
            template.setPubSubDomain(topic);
            template.convertAndSend(destination, text);
        }
    }

    record Orders(Consumer<String> handler) {

        @JmsListener(id = "orders", destination = "${destination}")
        void receive(String text) {
            handler.accept(text);
        }
    }
}
