package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.BatchMessageListener;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.SmartLifecycle;

class RabbitTest extends ListenerContract {
    private static final RabbitTechnology RABBIT = new RabbitTechnology("simple");

    RabbitTest() {
        super(RABBIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "direct"})
    void ofFiveHundredMessagesAStandbyHandlesNone(String kind) {
        RABBIT.publish(destination(), "waiting", 500);
        ListeningReplica standby;
        try (LeaderLease other = holdElsewhere()) {
            standby = start(ListenerContract::finish, "spring.rabbitmq.listener.type=" + kind);
            for (int i = 0; i < 5; i++) {
                standby.context().pause();
                standby.context().restart();
                standby.context().stop();
                standby.context().start();
            }
            await().during(A_WHILE).until(() -> !standby.container().isRunning());
            assertThat(standby.received().begun()).isEmpty();
        }
        await().until(() -> standby.received().done().size() == 500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"simple", "direct"})
    void aStopOfEitherContainerEndsAfterTheMessageAtHand(String kind) {
        RABBIT.publish(destination(), "waiting", 100);
        aStopEndsAfterTheMessageAtHand("spring.rabbitmq.listener.type=" + kind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "simple.default-requeue-rejected=false",
                "simple.acknowledge-mode=manual",
                "simple.retry.enabled=true",
                "type=direct",
            })
    void aRefusedMessageComesAgain(String setting, CapturedOutput output) {
        aRefusedMessageComesAgain(
                output, "spring.rabbitmq.listener." + setting, "spring.rabbitmq.listener.simple.prefetch=1");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyKindOfListenerIsGuardedAsItIs(Kind kind) {
        RABBIT.publish("kinds", "waiting");
        List<String> received = new CopyOnWriteArrayList<>();
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer();
        container.setConsumerBatchEnabled(kind.batch);
        container.setQueueNames("kinds");
        container.setMessageListener(kind.listener(received::add));
        ListeningReplica replica;
        try (LeaderLease other = holdElsewhere()) {
            replica = startWith(context -> context.registerBean("bean", SimpleMessageListenerContainer.class, () -> {
                container.setConnectionFactory(context.getBean(ConnectionFactory.class));
                return container;
            }));
            assertThat(replica.listeners().status().stopped()).containsExactly("bean", "orders");
            await().until(() -> {
                container.start();
                return replica.listeners().refusedMessages() > 0;
            });
            assertThat(received).isEmpty();
        }
        await().until(() -> received.contains("waiting"));
    }

    @Test
    void aStartThatFailsIsTriedAgain() {
        aStartThatFailsIsTriedAgain(RabbitTest::demandBatches);
    }

    @Test
    void aStartThatAlwaysFailsLeavesTheLeaseToAnother() {
        aStartThatAlwaysFailsLeavesTheLeaseToAnother(RabbitTest::demandBatches);
    }

    /** Which the listener cannot handle. */
    private static void demandBatches(SmartLifecycle container, boolean demanded) {
        ((SimpleMessageListenerContainer) container).setConsumerBatchEnabled(demanded);
    }

    /** What a container may be given to listen with. */
    private enum Kind {
        PLAIN(false) {
            @Override
            MessageListener listener(Consumer<String> handler) {
                return message -> handler.accept(text(message));
            }
        },
        PLAIN_BATCH(true) {
            @Override
            MessageListener listener(Consumer<String> handler) {
                return (BatchMessageListener) messages -> messages.forEach(message -> handler.accept(text(message)));
            }
        },
        CHANNEL(false) {
            @Override
            MessageListener listener(Consumer<String> handler) {
                return (ChannelAwareMessageListener) (message, channel) -> {
                    assertThat(channel).isNotNull();
                    handler.accept(text(message));
                };
            }
        },
        CHANNEL_BATCH(true) {
            @Override
            MessageListener listener(Consumer<String> handler) {
                return (ChannelAwareBatchMessageListener) (messages, channel) -> {
                    assertThat(channel).isNotNull();
                    messages.forEach(message -> handler.accept(text(message)));
                };
            }
        };

        private final boolean batch;

        Kind(boolean batch) {
            this.batch = batch;
        }

        abstract MessageListener listener(Consumer<String> handler);

        private static String text(Message message) {
            return new String(message.getBody(), StandardCharsets.UTF_8);
        }
    }
}
