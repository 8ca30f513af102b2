package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.leasehold.LeaderLease;
import io.leasehold.NotHolderException;
import io.leasehold.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.pulsar.core.PulsarConsumerFactory;
import org.springframework.pulsar.listener.AbstractPulsarMessageListenerContainer;
import org.springframework.pulsar.listener.Acknowledgement;
import org.springframework.pulsar.listener.PulsarAcknowledgingMessageListener;
import org.springframework.pulsar.listener.PulsarBatchAcknowledgingMessageListener;
import org.springframework.pulsar.listener.PulsarBatchMessageListener;
import org.springframework.pulsar.listener.PulsarContainerProperties;
import org.springframework.pulsar.listener.PulsarRecordMessageListener;

@SuppressWarnings("unchecked")
class PulsarContainerTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final LeaderLease other = new LeaderLease(LeaderLifecycleTest.SETTINGS, store, null);
    private final Consumer<String> consumer = mock(Consumer.class);
    private final Message<String> message = mock(Message.class);
    private final Acknowledgement acknowledgement = mock(Acknowledgement.class);
    private final List<String> handled = new CopyOnWriteArrayList<>();

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void closeOther() {
        other.close();
        Awaitility.reset();
    }

    @Test
    void aContainerIsHeldBackFollowsAndStopsBeforeTheRelease() {
        holdElsewhere();
        Topic topic = new Topic(records());
        try (Replica replica = start(topic)) {
            assertThat(topic.isAutoStartup()).isFalse();
            assertThat(topic.isRunning()).isFalse();
            assertThat(replica.listeners().status().stopped()).containsExactly("orders");

            other.close();
            await().until(topic::isRunning);
            topic.listener().received(consumer, message);
            assertThat(handled).containsExactly("record");
        }
        assertThat(topic.isRunning()).isFalse();
    }

    @Test
    void aMessageInFlightIsWaitedForBeforeTheRelease() {
        CountDownLatch proceed = new CountDownLatch(1);
        Topic topic = new Topic((PulsarRecordMessageListener<String>) (consumer, message) -> {
            join(proceed);
            handled.add("record");
        });
        try (Replica replica = start(topic)) {
            await().until(topic::isRunning);
            CompletableFuture<Void> delivered =
                    CompletableFuture.runAsync(() -> topic.listener().received(consumer, message));
            await().until(() -> replica.listeners().status().inFlight() == 1);
            other.start();
            replica.lease().stepDown();
            await().until(() -> !topic.isRunning());
            await().during(Duration.ofMillis(300)).until(() -> replica.lease().isHeld() && !other.isHeld());

            proceed.countDown();
            await().until(other::isHeld);
            delivered.join();
            assertThat(handled).containsExactly("record");
        }
    }

    @Test
    void everyKindOfListenerIsRefusedItsMessagesOnAStandby() {
        holdElsewhere();
        Topic records = new Topic(records());
        Topic acknowledging = new Topic((PulsarAcknowledgingMessageListener<String>)
                (consumer, message, acknowledgement) -> handled.add("acknowledging"));
        Topic batches = new Topic((PulsarBatchMessageListener<String>) (consumer, messages) -> handled.add("batch"));
        Topic acknowledgingBatches = new Topic((PulsarBatchAcknowledgingMessageListener<String>)
                (consumer, messages, acknowledgement) -> handled.add("acknowledging batch"));
        try (Replica replica = start(records, acknowledging, batches, acknowledgingBatches)) {
            List<Runnable> deliveries = List.of(
                    () -> records.listener().received(consumer, message),
                    () -> acknowledging.listener().received(consumer, message, acknowledgement),
                    () -> ((PulsarBatchMessageListener<String>) batches.listener())
                            .received(consumer, List.of(message)),
                    () -> ((PulsarBatchMessageListener<String>) acknowledgingBatches.listener())
                            .received(consumer, List.of(message), acknowledgement));
            for (Runnable delivery : deliveries) {
                assertThatThrownBy(delivery::run).isInstanceOf(NotHolderException.class);
            }
            assertThat(handled).isEmpty();
            assertThat(replica.listeners().refusedMessages()).isEqualTo(4);

            other.close();
            await().until(() -> replica.lease().isHeld());
            deliveries.forEach(Runnable::run);
            assertThat(handled).containsExactly("record", "acknowledging", "batch", "acknowledging batch");
        }
    }

    private PulsarRecordMessageListener<String> records() {
        return (consumer, message) -> handled.add("record");
    }

    private void holdElsewhere() {
        other.start();
        await().until(other::isHeld);
    }

    private Replica start(Topic... topics) {
        return Replica.start(store, context -> {
            for (int i = 0; i < topics.length; i++) {
                Topic topic = topics[i];
                context.registerBean(i == 0 ? "orders" : "orders" + i, Topic.class, () -> topic);
            }
        });
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A container without a broker; messages are handed to its listener by hand. */
    private static final class Topic extends AbstractPulsarMessageListenerContainer<String> {
        private final PulsarContainerProperties properties;

        Topic(PulsarRecordMessageListener<String> listener) {
            this(properties(listener));
        }

        private Topic(PulsarContainerProperties properties) {
            super(mock(PulsarConsumerFactory.class), properties);
            this.properties = properties;
        }

        /** The real ones need the whole Pulsar client. */
        private static PulsarContainerProperties properties(Object listener) {
            AtomicReference<Object> current = new AtomicReference<>(listener);
            PulsarContainerProperties properties = mock(PulsarContainerProperties.class);
            when(properties.getMessageListener()).thenAnswer(call -> current.get());
            doAnswer(call -> {
                        current.set(call.getArgument(0));
                        return null;
                    })
                    .when(properties)
                    .setMessageListener(any());
            return properties;
        }

        PulsarRecordMessageListener<String> listener() {
            return (PulsarRecordMessageListener<String>) Objects.requireNonNull(properties.getMessageListener());
        }

        @Override
        protected void doStart() {
            setRunning(true);
        }

        @Override
        protected void doStop() {
            setRunning(false);
        }

        @Override
        protected void doPause() {}

        @Override
        protected void doResume() {}
    }
}
