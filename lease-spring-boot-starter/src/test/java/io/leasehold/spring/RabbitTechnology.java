package io.leasehold.spring;

import java.util.Objects;
import java.util.function.Consumer;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;

/** RabbitMQ, with one node and durable queues. */
final class RabbitTechnology implements ListenerTechnology {
    private final String kind;
    private final RabbitNode node = new RabbitNode();

    /** The kind of container: simple or direct. */
    RabbitTechnology(String kind) {
        this.kind = kind;
    }

    @Override
    public void startBroker() throws Exception {
        node.start();
    }

    @Override
    public void stopBroker() {
        node.stop();
    }

    @Override
    public void close() throws Exception {
        node.close();
    }

    @Override
    public boolean keepsMessages() {
        return true;
    }

    @Override
    public String[] properties() {
        return new String[] {
            "spring.rabbitmq.host=127.0.0.1",
            "spring.rabbitmq.port=" + node.port(),
            "spring.rabbitmq.listener.type=" + kind,
        };
    }

    @Override
    public void addListener(GenericApplicationContext context, Consumer<String> handler) {
        context.registerBean(
                Queue.class, () -> new Queue(context.getEnvironment().getRequiredProperty("destination")));
        context.registerBean(Orders.class, () -> new Orders(handler));
    }

    @Override
    public SmartLifecycle container(ApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean(RabbitListenerEndpointRegistry.class).getListenerContainer("orders"));
    }

    @Override
    public void publish(String destination, String text) {
        publish(destination, text, 1);
    }

    void publish(String destination, String text, int times) {
        CachingConnectionFactory connections = new CachingConnectionFactory("127.0.0.1", node.port());
        try {
            new RabbitAdmin(connections).declareQueue(new Queue(destination));
            RabbitTemplate template = new RabbitTemplate(connections);
            for (int i = 0; i < times; i++) {
                template.convertAndSend(destination, text);
            }
        } finally {
            connections.destroy();
        }
    }

    record Orders(Consumer<String> handler) {

        @RabbitListener(id = "orders", queues = "${destination}")
        void receive(String text) {
            handler.accept(text);
        }
    }
}
