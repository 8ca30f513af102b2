package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.AcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.AcknowledgingMessageListener;
import org.springframework.kafka.listener.BatchAcknowledgingConsumerAwareMessageListener;
import org.springframework.kafka.listener.BatchConsumerAwareMessageListener;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ConsumerAwareMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.GenericMessageListener;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.util.backoff.FixedBackOff;

class KafkaTest extends ListenerContract {
    private static final KafkaTechnology KAFKA = new KafkaTechnology();

    KafkaTest() {
        super(KAFKA);
    }

    @Test
    void aRefusedRecordIsNeitherSkippedNorSentElsewhere() {
        List<Object> recovered = new CopyOnWriteArrayList<>();
        CommonErrorHandler givesUpAtOnce =
                new DefaultErrorHandler((record, failure) -> recovered.add(record), new FixedBackOff(0, 0));
        refuseThenHandle(context -> context.registerBean(CommonErrorHandler.class, () -> givesUpAtOnce));
        assertThat(recovered).isEmpty();
    }

    @Test
    void aStopEndsAfterTheRecordAtHand() {
        for (int i = 0; i < 20; i++) {
            publishOneMore();
        }
        aStopEndsAfterTheMessageAtHand();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyKindOfListenerIsGuardedAsItIs(Kind kind) {
        List<String> received = new CopyOnWriteArrayList<>();
        String topic = destination() + "-bean";
        KAFKA.publish(topic, "waiting");
        ListeningReplica replica;
        AbstractMessageListenerContainer<?, ?> container;
        try (LeaderLease other = holdElsewhere()) {
            replica = startWith(context -> registerContainer(context, topic, kind.listener(received::add)));
            container = replica.context().getBean(AbstractMessageListenerContainer.class);
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
        aStartThatFailsIsTriedAgain(KafkaTest::takeTheListenerAway);
    }

    @Test
    void aStartThatAlwaysFailsLeavesTheLeaseToAnother() {
        aStartThatAlwaysFailsLeavesTheLeaseToAnother(KafkaTest::takeTheListenerAway);
    }

    private void refuseThenHandle(Consumer<GenericApplicationContext> customizer) {
        publish("waiting");
        ListeningReplica standby;
        try (LeaderLease other = holdElsewhere()) {
            standby = startWith(customizer);
            await().until(() -> {
                standby.container().start();
                return standby.listeners().refusedMessages() > 0;
            });
            await().until(() -> !standby.container().isRunning());
            assertThat(standby.received().begun()).isEmpty();
        }
        await().until(() -> standby.received().done().contains("waiting"));
    }

    @SuppressWarnings("unchecked")
    private static void registerContainer(
            GenericApplicationContext context, String topic, GenericMessageListener<?> listener) {
        context.registerBean("bean", ConcurrentMessageListenerContainer.class, () -> {
            ContainerProperties properties = new ContainerProperties(topic);
            properties.setGroupId(topic);
            properties.setAckMode(ContainerProperties.AckMode.MANUAL);
            properties.setMessageListener(listener);
            return new ConcurrentMessageListenerContainer<>(context.getBean(ConsumerFactory.class), properties);
        });
    }

    private static void takeTheListenerAway(SmartLifecycle container, boolean away) {
        ContainerProperties properties = ((AbstractMessageListenerContainer<?, ?>) container).getContainerProperties();
        if (away) {
            properties.setMessageListener(new Away(Objects.requireNonNull(properties.getMessageListener())));
        } else if (properties.getMessageListener() instanceof Away taken) {
            properties.setMessageListener(taken.listener());
        }
    }

    private record Away(Object listener) {}

    /** What a container may be given to listen with. */
    private enum Kind {
        RECORD {
            @Override
            GenericMessageListener<?> listener(Consumer<String> handler) {
                return (MessageListener<String, String>) record -> handler.accept(record.value());
            }
        },
        ACKNOWLEDGING {
            @Override
            GenericMessageListener<?> listener(Consumer<String> handler) {
                return (AcknowledgingMessageListener<String, String>) (record, acknowledgment) -> {
                    assertThat(acknowledgment).isNotNull();
                    handler.accept(record.value());
                };
            }
        },
        CONSUMER_AWARE {
            @Override
            GenericMessageListener<?> listener(Consumer<String> handler) {
                return (ConsumerAwareMessageListener<String, String>) (record, consumer) -> {
                    assertThat(consumer).isNotNull();
                    handler.accept(record.value());
                };
            }
        },
        ACKNOWLEDGING_CONSUMER_AWARE {
            @Override
            GenericMessageListener<?> listener(Consumer<String> handler) {
                return (AcknowledgingConsumerAwareMessageListener<String, String>)
                        (record, acknowledgment, consumer) -> {
                            assertThat(acknowledgment).isNotNull();
                            assertThat(consumer).isNotNull();
                            handler.accept(record.value());
                        };
            }
        },
        BATCH {
            @Override
            GenericMessageListener<?> listener(Consumer<String> handler) {
                return (BatchMessageListener<String, String>) records -> handleAll(records, handler);
            }
        },
        BATCH_CONSUMER_AWARE {
            @Override
            GenericMessageListener<?> listener(Consumer<String> handler) {
                return (BatchConsumerAwareMessageListener<String, String>) (records, consumer) -> {
                    assertThat(consumer).isNotNull();
                    handleAll(records, handler);
                };
            }
        },
        BATCH_ACKNOWLEDGING_CONSUMER_AWARE {
            @Override
            GenericMessageListener<?> listener(Consumer<String> handler) {
                return (BatchAcknowledgingConsumerAwareMessageListener<String, String>)
                        (records, acknowledgment, consumer) -> {
                            assertThat(acknowledgment).isNotNull();
                            assertThat(consumer).isNotNull();
                            handleAll(records, handler);
                        };
            }
        };

        abstract GenericMessageListener<?> listener(Consumer<String> handler);

        private static void handleAll(List<ConsumerRecord<String, String>> records, Consumer<String> handler) {
            records.forEach(record -> handler.accept(record.value()));
        }
    }
}
