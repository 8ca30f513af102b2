package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import jakarta.jms.MessageListener;
import java.util.Objects;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.config.SimpleJmsListenerEndpoint;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.MessageListenerContainer;
import org.springframework.jms.listener.SimpleMessageListenerContainer;

class JmsTopicTest extends ListenerContract {

    JmsTopicTest() {
        super(new JmsTechnology(true));
    }

    @Test
    void aContainerRegisteredLateOnAStandbyIsStoppedAndFollows() {
        MessageListenerContainer late;
        try (LeaderLease other = holdElsewhere()) {
            ListeningReplica standby = start(ListenerContract::finish);
            JmsListenerEndpointRegistry registry = standby.context().getBean(JmsListenerEndpointRegistry.class);
            SimpleJmsListenerEndpoint endpoint = new SimpleJmsListenerEndpoint();
            endpoint.setId("late");
            endpoint.setDestination("elsewhere");
            endpoint.setMessageListener(message -> {});
            registry.registerListenerContainer(
                    endpoint, standby.context().getBean(DefaultJmsListenerContainerFactory.class), true);
            late = Objects.requireNonNull(registry.getListenerContainer("late"));
            await().until(() -> !late.isRunning());
        }
        await().until(late::isRunning);
    }

    @Test
    void onlyWhatIsNamedFollows() {
        DefaultMessageListenerContainer container = configure(new DefaultMessageListenerContainer());
        try (LeaderLease other = holdElsewhere()) {
            ListeningReplica standby = startWith(container, "lease.listeners=orders");
            assertThat(standby.listeners().status().stopped()).containsExactly("orders");
            assertThat(container.isRunning()).isTrue();
        }
    }

    @Test
    void aContainerThatIsABeanIsHeldBackAndFollows() {
        DefaultMessageListenerContainer container = configure(new DefaultMessageListenerContainer());
        ListeningReplica replica;
        try (LeaderLease other = holdElsewhere()) {
            replica = startWith(container);
            assertThat(container.isAutoStartup()).isFalse();
            assertThat(container.isRunning()).isFalse();
            assertThat(replica.listeners().status().stopped()).containsExactly("bean", "orders");
        }
        await().until(container::isRunning);
        replica.close();
        assertThat(container.isRunning()).isFalse();
    }

    @Test
    void aContainerThatKeepsItsConsumerWhileStoppedIsWarnedOf(CapturedOutput output) {
        SimpleMessageListenerContainer container = configure(new SimpleMessageListenerContainer());
        ListeningReplica replica = startWith(container);
        await().until(container::isRunning);
        replica.lease().stepDown();
        await().until(() -> !container.isRunning());
        assertThat(output).containsOnlyOnce("Listener bean runs in a SimpleMessageListenerContainer");
    }

    private ListeningReplica startWith(AbstractMessageListenerContainer container, String... properties) {
        return startWith(
                context -> context.registerBean("bean", AbstractMessageListenerContainer.class, () -> container),
                properties);
    }

    private static <T extends AbstractMessageListenerContainer> T configure(T container) {
        container.setConnectionFactory(new ActiveMQConnectionFactory(JmsTechnology.URL));
        container.setDestinationName("elsewhere");
        container.setMessageListener((MessageListener) message -> {});
        return container;
    }
}
