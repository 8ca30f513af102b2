package io.leasehold.spring;

import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;

/** Kafka, with one node and topics of one partition. */
final class KafkaTechnology implements ListenerTechnology {
    private final KafkaNode node = new KafkaNode();
    private final DefaultKafkaProducerFactory<String, String> producers = new DefaultKafkaProducerFactory<>(
            Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, node.address()),
            new StringSerializer(),
            new StringSerializer());

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
        producers.destroy();
        node.close();
    }

    @Override
    public boolean keepsMessages() {
        return true;
    }

    /** A consumer that hangs is waited for by its group until it has not polled for the longest interval. */
    @Override
    public String[] properties() {
        return new String[] {
            "spring.kafka.bootstrap-servers=" + node.address(),
            "spring.kafka.consumer.group-id=${destination}",
            "spring.kafka.consumer.auto-offset-reset=earliest",
            "spring.kafka.properties.metadata.max.age.ms=500",
            "spring.kafka.consumer.properties.max.poll.interval.ms=6000",
        };
    }

    @Override
    public void addListener(GenericApplicationContext context, Consumer<String> handler) {
        context.registerBean(Orders.class, () -> new Orders(handler));
    }

    @Override
    public SmartLifecycle container(ApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("orders"));
    }

    @Override
    public void publish(String destination, String text) {
        new KafkaTemplate<>(producers).send(destination, text).join();
    }

    record Orders(Consumer<String> handler) {

        @KafkaListener(id = "orders", idIsGroup = false, topics = "${destination}", autoStartup = "true")
        void receive(String text) {
            handler.accept(text);
        }
    }
}
