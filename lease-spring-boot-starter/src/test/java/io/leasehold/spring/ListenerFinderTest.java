package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaderLease;
import io.leasehold.memory.MemoryLeaseStore;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerEndpoint;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.config.SimpleJmsListenerEndpoint;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

class ListenerFinderTest {

    @Test
    void containersOfSeveralTechnologiesAreFoundTogether() {
        try (GenericApplicationContext context = contextWith("jms", "rabbit")) {
            assertThat(finder(context).findContainers()).containsOnlyKeys("jms", "rabbit");
        }
    }

    @Test
    void aNameThatIsThereTwiceIsRefused() {
        try (GenericApplicationContext context = contextWith("orders", "orders")) {
            assertThatThrownBy(() -> finder(context).find())
                    .isInstanceOf(UnsuitableListenerException.class)
                    .hasMessageContaining("both named 'orders'");
        }
    }

    @Test
    void aBeanWithTheNameOfAListenersIdIsRefused() {
        DefaultMessageListenerContainer bean = new DefaultMessageListenerContainer();
        bean.setConnectionFactory(new ActiveMQConnectionFactory(JmsTechnology.URL));
        bean.setDestinationName("elsewhere");
        bean.setAutoStartup(false);
        try (GenericApplicationContext context = contextWith("orders", "rabbit")) {
            context.registerBean("orders", DefaultMessageListenerContainer.class, () -> bean);
            assertThatThrownBy(() -> finder(context).find())
                    .isInstanceOf(UnsuitableListenerException.class)
                    .hasMessageContaining("both named 'orders'");
        }
    }

    private static ListenerFinder finder(GenericApplicationContext context) {
        LongAdder refused = new LongAdder();
        LeaderLease lease = new LeaderLease(LeaderLifecycleTest.SETTINGS, new MemoryLeaseStore(), null);
        return new ListenerFinder(
                context, true, List.of(), () -> new MessageGuard(() -> true, () -> {}, refused), lease, "orders");
    }

    /** With one listener of JMS and one of RabbitMQ, neither of them started. */
    private static GenericApplicationContext contextWith(String jms, String rabbit) {
        GenericApplicationContext context = new GenericApplicationContext();
        context.registerBean(JmsListenerEndpointRegistry.class);
        context.registerBean(RabbitListenerEndpointRegistry.class);
        context.refresh();
        SimpleJmsListenerEndpoint jmsEndpoint = new SimpleJmsListenerEndpoint();
        jmsEndpoint.setId(jms);
        jmsEndpoint.setDestination("elsewhere");
        jmsEndpoint.setMessageListener(message -> {});
        DefaultJmsListenerContainerFactory jmsContainers = new DefaultJmsListenerContainerFactory();
        jmsContainers.setConnectionFactory(new ActiveMQConnectionFactory(JmsTechnology.URL));
        context.getBean(JmsListenerEndpointRegistry.class).registerListenerContainer(jmsEndpoint, jmsContainers);
        SimpleRabbitListenerEndpoint rabbitEndpoint = new SimpleRabbitListenerEndpoint();
        rabbitEndpoint.setId(rabbit);
        rabbitEndpoint.setQueueNames("elsewhere");
        rabbitEndpoint.setMessageListener(message -> {});
        SimpleRabbitListenerContainerFactory rabbitContainers = new SimpleRabbitListenerContainerFactory();
        rabbitContainers.setConnectionFactory(new CachingConnectionFactory("127.0.0.1", 1));
        context.getBean(RabbitListenerEndpointRegistry.class)
                .registerListenerContainer(rabbitEndpoint, rabbitContainers);
        return context;
    }
}
