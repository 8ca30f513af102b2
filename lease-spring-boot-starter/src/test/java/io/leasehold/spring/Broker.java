package io.leasehold.spring;

import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.springframework.jms.core.JmsTemplate;

/** A real broker in this process, apart from all applications. */
final class Broker implements AutoCloseable {
    static final String URL = "vm://4711";

    private final EmbeddedActiveMQ server;
    private final ActiveMQConnectionFactory connections;

    private Broker(EmbeddedActiveMQ server, ActiveMQConnectionFactory connections) {
        this.server = server;
        this.connections = connections;
    }

    static Broker start(Path directory) throws Exception {
        ConfigurationImpl configuration = new ConfigurationImpl();
        configuration.setPersistenceEnabled(false);
        configuration.setSecurityEnabled(false);
        configuration.setBrokerInstance(directory.toFile());
        configuration.addAcceptorConfiguration("in-vm", URL);
        EmbeddedActiveMQ server = new EmbeddedActiveMQ();
        server.setConfiguration(configuration);
        server.start();
        return new Broker(server, new ActiveMQConnectionFactory(URL));
    }

    void publish(String text) {
        template(true).convertAndSend(JmsReplica.DESTINATION, text);
    }

    void send(String text) {
        template(false).convertAndSend(JmsReplica.DESTINATION, text);
    }

    private JmsTemplate template(boolean topic) {
        JmsTemplate template = new JmsTemplate(connections);
        template.setPubSubDomain(topic);
        return template;
    }

    @Override
    public void close() throws Exception {
        connections.close();
        server.stop();
    }
}
