package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.awspring.cloud.sqs.listener.AsyncMessageListener;
import io.awspring.cloud.sqs.listener.DefaultListenerContainerRegistry;
import io.awspring.cloud.sqs.listener.SqsMessageListenerContainer;
import io.leasehold.LeaderLease;
import io.leasehold.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import software.amazon.awssdk.services.sqs.SqsAsyncClient;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequest;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchRequestEntry;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.DeleteMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageRequest;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;

@ExtendWith(OutputCaptureExtension.class)
class SqsContainerTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final LeaderLease other = new LeaderLease(LeaderLifecycleTest.SETTINGS, store, null);
    private final Queue queue = new Queue();
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private volatile CompletableFuture<Void> work = CompletableFuture.completedFuture(null);

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
    void aStandbysContainerIsHeldBackAndConsumesOnceItLeads() {
        holdElsewhere();
        SqsMessageListenerContainer<String> container = container();
        try (Replica replica = start(container)) {
            assertThat(container.isRunning()).isFalse();
            assertThat(container.isAutoStartup()).isFalse();
            assertThat(replica.listeners().status().stopped()).containsExactly("orders");
            queue.send("first");

            other.close();
            await().until(() -> queue.deleted.contains("first"));
            assertThat(begun).containsExactly("first");
        }
        assertThat(container.isRunning()).isFalse();
    }

    @Test
    void aContainerOfTheRegistryFollows() {
        holdElsewhere();
        SqsMessageListenerContainer<String> container = container();
        DefaultListenerContainerRegistry registry = new DefaultListenerContainerRegistry();
        registry.registerListenerContainer(container);
        try (Replica replica = Replica.start(
                store, context -> context.registerBean(DefaultListenerContainerRegistry.class, () -> registry))) {
            assertThat(replica.listeners().status().stopped()).containsExactly("of-registry");
            assertThat(container.isRunning()).isFalse();

            other.close();
            await().until(container::isRunning);
        }
    }

    @Test
    void aMessageWhoseFutureIsOpenIsWaitedForBeforeTheRelease() {
        CompletableFuture<Void> open = new CompletableFuture<>();
        work = open;
        SqsMessageListenerContainer<String> container = container();
        try (Replica replica = start(container)) {
            queue.send("slow");
            await().until(() -> begun.contains("slow"));
            other.start();

            replica.lease().stepDown();
            await().until(() -> !container.isRunning());
            assertThat(replica.listeners().status().inFlight()).isEqualTo(1);
            await().during(Duration.ofMillis(300)).until(() -> replica.lease().isHeld() && !other.isHeld());

            open.complete(null);
            await().until(other::isHeld);
            assertThat(replica.listeners().status().inFlight()).isZero();
        }
    }

    @Test
    void aMessageThatReachesAStandbyIsNeitherHandledNorAcknowledged(CapturedOutput output) {
        holdElsewhere();
        SqsMessageListenerContainer<String> container = container();
        try (Replica replica = start(container)) {
            await().until(() -> {
                container.start();
                queue.send("confidential");
                return replica.listeners().refusedMessages() > 0;
            });
            await().until(() -> !container.isRunning());
            assertThat(begun).isEmpty();
            assertThat(queue.deleted).isEmpty();
            assertThat(output)
                    .containsOnlyOnce("does not hold the lease; it is not handled")
                    .doesNotContain("confidential");
        }
    }

    @Test
    void aListenerThatThrowsIsNotInFlightAnyMore() {
        SqsMessageListenerContainer<String> container = container();
        container.setAsyncMessageListener(message -> {
            begun.add(message.getPayload());
            if (message.getPayload().equals("worse")) {
                throw new LinkageError("cannot be loaded");
            }
            throw new IllegalStateException("cannot be handled");
        });
        try (Replica replica = start(container)) {
            queue.send("bad");
            queue.send("worse");
            await().until(() -> begun.containsAll(List.of("bad", "worse")));
            await().until(() -> replica.listeners().status().inFlight() == 0);
            assertThat(queue.deleted).isEmpty();
        }
    }

    private void holdElsewhere() {
        other.start();
        await().until(other::isHeld);
    }

    private Replica start(SqsMessageListenerContainer<String> container) {
        return Replica.start(
                store, context -> context.registerBean("orders", SqsMessageListenerContainer.class, () -> container));
    }

    private SqsMessageListenerContainer<String> container() {
        AsyncMessageListener<String> listener = message -> {
            begun.add(message.getPayload());
            return work;
        };
        return SqsMessageListenerContainer.<String>builder()
                .id("of-registry")
                .sqsAsyncClient(queue)
                .queueNames("orders")
                .asyncMessageListener(listener)
                .configure(options -> options.pollTimeout(Duration.ofMillis(100))
                        .listenerShutdownTimeout(Duration.ofMillis(100))
                        .acknowledgementShutdownTimeout(Duration.ofMillis(100)))
                .build();
    }

    /** One queue, as its client sees it. */
    private static final class Queue implements SqsAsyncClient {
        private static final Executor LATER = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

        private final BlockingQueue<Message> messages = new LinkedBlockingQueue<>();
        private final Map<String, String> bodies = new ConcurrentHashMap<>();
        private final List<String> deleted = new CopyOnWriteArrayList<>();

        void send(String body) {
            String id = UUID.randomUUID().toString();
            bodies.put(id, body);
            messages.add(
                    Message.builder().messageId(id).receiptHandle(id).body(body).build());
        }

        @Override
        public CompletableFuture<ReceiveMessageResponse> receiveMessage(ReceiveMessageRequest request) {
            return CompletableFuture.supplyAsync(
                    () -> {
                        Message message = messages.poll();
                        ReceiveMessageResponse.Builder response = ReceiveMessageResponse.builder();
                        return message == null
                                ? response.build()
                                : response.messages(message).build();
                    },
                    LATER);
        }

        @Override
        public CompletableFuture<DeleteMessageBatchResponse> deleteMessageBatch(DeleteMessageBatchRequest request) {
            List<String> ids = request.entries().stream()
                    .map(DeleteMessageBatchRequestEntry::receiptHandle)
                    .toList();
            ids.forEach(id -> deleted.add(bodies.get(id)));
            return CompletableFuture.completedFuture(DeleteMessageBatchResponse.builder()
                    .successful(request.entries().stream()
                            .map(entry -> DeleteMessageBatchResultEntry.builder()
                                    .id(entry.id())
                                    .build())
                            .toList())
                    .build());
        }

        @Override
        public CompletableFuture<GetQueueUrlResponse> getQueueUrl(GetQueueUrlRequest request) {
            return CompletableFuture.completedFuture(GetQueueUrlResponse.builder()
                    .queueUrl("http://localhost/orders")
                    .build());
        }

        @Override
        public CompletableFuture<GetQueueAttributesResponse> getQueueAttributes(GetQueueAttributesRequest request) {
            return CompletableFuture.completedFuture(GetQueueAttributesResponse.builder()
                    .attributes(Map.of(QueueAttributeName.QUEUE_ARN, "arn:aws:sqs:::orders"))
                    .build());
        }

        @Override
        public String serviceName() {
            return SERVICE_NAME;
        }

        @Override
        public void close() {}
    }
}
