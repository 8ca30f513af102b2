package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.NotHolderException;
import io.leasehold.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.endpoint.EventDrivenConsumer;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.integration.endpoint.SourcePollingChannelAdapter;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.messaging.support.GenericMessage;

@ExtendWith(OutputCaptureExtension.class)
class IntegrationEndpointsTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final LeaderLease other = new LeaderLease(LeaderLifecycleTest.SETTINGS, store, null);
    private volatile Consumer<String> work = text -> {};

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
    void endpointsOfTheRoleFollowAndOthersDoNot() {
        holdElsewhere();
        try (Replica replica = start("orders")) {
            Feed feed = feed(replica);
            EventDrivenConsumer without = replica.context().getBean("without", EventDrivenConsumer.class);
            EventDrivenConsumer consumer = replica.context().getBean("consumer", EventDrivenConsumer.class);
            assertThat(without.isRunning()).isTrue();
            assertThat(consumer.isRunning()).isFalse();
            assertThat(feed.isRunning()).isFalse();
            assertThat(replica.listeners().status().stopped()).containsExactly("role:orders");

            replica.context().stop();
            replica.context().start();
            await().until(() -> !feed.isRunning() && without.isRunning());

            other.close();
            await().until(feed::isRunning);
            feed.emit("first");
            assertThat(handled).containsExactly("first");
        }
    }

    @Test
    void anotherRoleIsLeftAlone() {
        holdElsewhere();
        try (Replica replica = start("invoices")) {
            assertThat(feed(replica).isRunning()).isTrue();
            feed(replica).emit("first");
            assertThat(handled).containsExactly("first");
            assertThat(replica.listeners().status().stopped()).isEmpty();
        }
    }

    @Test
    void eventsComeInPairsAndEndpointsStartAndStopOnceInEachTerm() {
        try (Replica replica = start("orders")) {
            Feed feed = feed(replica);
            Events events = replica.context().getBean(Events.class);
            for (int term = 1; term <= 5; term++) {
                int granted = 2 * term - 1;
                await().until(() -> events.published.size() == granted);
                assertThat(feed.isRunning()).isTrue();
                feed.emit("message " + term);
                replica.lease().stepDown();
                await().until(() -> replica.listeners().status().stage() == ListenersStage.HELD_BACK);
                assertThat(feed.isRunning()).isFalse();
                assertThat(events.published).hasSize(2 * term);
            }
            assertThat(handled).hasSize(5);
            for (int i = 0; i < 10; i++) {
                assertThat(events.published.get(i)).isEqualTo(i % 2 == 0 ? "OnGrantedEvent" : "OnRevokedEvent");
            }
            assertThat(feed.starts).hasValue(5);
            assertThat(feed.stops).hasValue(5);
        }
    }

    @Test
    void theEventsComeWithoutAnyEndpointOfTheRole() {
        try (Replica replica = start("invoices")) {
            Events events = replica.context().getBean(Events.class);
            await().until(() -> events.published.contains("OnGrantedEvent"));
            replica.lease().stepDown();
            await().until(() -> events.published.contains("OnRevokedEvent"));
        }
    }

    @Test
    void whatAGrantedListenerYieldsIsSteppedDownFrom() {
        try (Replica replica = start("orders")) {
            Events events = replica.context().getBean(Events.class);
            await().until(() -> events.last != null);
            AbstractLeaderEvent granted = Objects.requireNonNull(events.last);
            assertThat(granted.getRole()).isEqualTo("orders");
            assertThat(granted.getContext().getRole()).isEqualTo("orders");
            assertThat(granted.getContext().isLeader()).isTrue();
            other.start();

            granted.getContext().yield();

            await().until(other::isHeld);
            assertThat(granted.getContext().isLeader()).isFalse();
            assertThat(feed(replica).isRunning()).isFalse();
        }
    }

    @Test
    void aMessageInFlightIsWaitedForBeforeTheRelease() {
        CountDownLatch proceed = new CountDownLatch(1);
        work = text -> join(proceed);
        try (Replica replica = start("orders")) {
            Feed feed = feed(replica);
            await().until(feed::isRunning);
            CompletableFuture<Void> emitted = CompletableFuture.runAsync(() -> feed.emit("slow"));
            await().until(() -> replica.listeners().status().inFlight() == 1);
            other.start();

            replica.lease().stepDown();
            await().until(() -> !feed.isRunning());
            await().during(Duration.ofMillis(300)).until(() -> replica.lease().isHeld() && !other.isHeld());

            proceed.countDown();
            await().until(other::isHeld);
            emitted.join();
            assertThat(handled).containsExactly("slow");
        }
    }

    @Test
    void aLateMessageOfAnAdaptersOwnThreadIsRefusedAndCounted(CapturedOutput output) {
        holdElsewhere();
        try (Replica replica = start("orders")) {
            Feed feed = feed(replica);
            CompletableFuture<Void> emitted = CompletableFuture.runAsync(() -> feed.emit("confidential"));

            assertThatThrownBy(emitted::join).hasCauseInstanceOf(NotHolderException.class);
            assertThat(handled).isEmpty();
            assertThat(replica.listeners().refusedMessages()).isEqualTo(1);
            assertThat(output)
                    .containsOnlyOnce("Listener role:orders was given a message")
                    .doesNotContain("confidential");
        }
    }

    @Test
    void anAdapterThatIsStartedByHandOnAStandbyIsStoppedAndItsMessagesRefused() {
        holdElsewhere();
        try (Replica replica = start("orders")) {
            Feed feed = feed(replica);
            feed.start();
            assertThatThrownBy(() -> feed.emit("early")).isInstanceOf(NotHolderException.class);
            await().until(() -> !feed.isRunning());
            assertThat(handled).isEmpty();
            assertThat(replica.context().getBean(Events.class).published).isEmpty();
        }
    }

    @Test
    void aSourceIsPolledOnTheLeaderOnly() {
        holdElsewhere();
        AtomicInteger polls = new AtomicInteger();
        try (Replica replica = start(
                "orders",
                context -> context.registerBean("poller", Poller.class, () -> {
                    Poller poller = new Poller(polls);
                    poller.setOutputChannel(context.getBean("input", DirectChannel.class));
                    poller.setRole("orders");
                    return poller;
                }))) {
            Poller poller = replica.context().getBean(Poller.class);
            assertThat(poller.isRunning()).isFalse();
            assertThat(polls).hasValue(0);

            other.close();
            await().until(() -> handled.contains("polled"));
            assertThat(feed(replica).isRunning()).isTrue();
        }
        assertThat(polls).hasPositiveValue();
    }

    @Test
    void aConsumerOfTheRoleIsReadyBeforeItsSourceAndStopsAfterIt() {
        holdElsewhere();
        try (Replica replica = start("orders")) {
            Feed feed = feed(replica);
            EventDrivenConsumer consumer = replica.context().getBean("consumer", EventDrivenConsumer.class);
            feed.onStart = () -> feed.emit("at once " + consumer.isRunning());
            feed.onStop = () -> feed.emit("at last " + consumer.isRunning());
            other.close();
            await().until(() -> !handled.isEmpty());
            replica.lease().stepDown();
            await().until(() -> handled.size() == 2);
            assertThat(handled).containsExactly("at once true", "at last true");
        }
    }

    @Test
    void aListenerOfTheRevocationThatHangsIsReportedAndLeavesTheLeaseToRunOut() {
        CountDownLatch proceed = new CountDownLatch(1);
        try (Replica replica = start("orders")) {
            replica.context().getBean(Events.class).onRevoked = () -> join(proceed);
            await().until(feed(replica)::isRunning);
            other.start();
            replica.lease().stepDown();
            await().until(() -> replica.listeners().status().stage() == ListenersStage.STOP_NOT_CONFIRMED);
            assertThat(other.isHeld()).isFalse();
            await().until(other::isHeld);
            proceed.countDown();
            await().until(() -> replica.listeners().status().stage() == ListenersStage.HELD_BACK);
        }
    }

    private void holdElsewhere() {
        other.start();
        await().until(other::isHeld);
    }

    private Replica start(String role) {
        return start(role, context -> {});
    }

    private Replica start(String role, Consumer<GenericApplicationContext> customizer) {
        return Replica.start(store, context -> {
            context.registerBean(Integration.class);
            context.registerBean(Events.class);
            context.registerBean("input", DirectChannel.class);
            context.registerBean("elsewhere", DirectChannel.class);
            context.registerBean("consumer", EventDrivenConsumer.class, () -> consumer(context, "input", role));
            context.registerBean("without", EventDrivenConsumer.class, () -> consumer(context, "elsewhere", null));
            context.registerBean("feed", Feed.class, () -> {
                Feed feed = new Feed();
                feed.setOutputChannel(context.getBean("input", DirectChannel.class));
                feed.setRole(role);
                return feed;
            });
            customizer.accept(context);
        });
    }

    private EventDrivenConsumer consumer(GenericApplicationContext context, String channel, @Nullable String role) {
        EventDrivenConsumer consumer =
                new EventDrivenConsumer(context.getBean(channel, DirectChannel.class), message -> {
                    work.accept((String) message.getPayload());
                    handled.add((String) message.getPayload());
                });
        consumer.setPhase(Integer.MIN_VALUE);
        consumer.setRole(role);
        return consumer;
    }

    private static Feed feed(Replica replica) {
        return replica.context().getBean(Feed.class);
    }

    private static void join(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @EnableIntegration
    static class Integration {}

    /** As the inbound adapter of Google Cloud Pub/Sub: it sends from threads of its own, also after its stop. */
    static final class Feed extends MessageProducerSupport {
        private final AtomicInteger starts = new AtomicInteger();
        private final AtomicInteger stops = new AtomicInteger();
        private volatile Runnable onStart = () -> {};
        private volatile Runnable onStop = () -> {};

        void emit(String text) {
            sendMessage(new GenericMessage<>(text));
        }

        @Override
        protected void doStart() {
            starts.incrementAndGet();
            onStart.run();
        }

        @Override
        protected void doStop() {
            stops.incrementAndGet();
            onStop.run();
        }
    }

    static final class Poller extends SourcePollingChannelAdapter {
        Poller(AtomicInteger polls) {
            setSource(() -> {
                polls.incrementAndGet();
                return new GenericMessage<>("polled");
            });
        }
    }

    static final class Events {
        private final List<String> published = new CopyOnWriteArrayList<>();
        private volatile Runnable onRevoked = () -> {};
        private volatile @Nullable AbstractLeaderEvent last;

        @EventListener
        void on(AbstractLeaderEvent event) {
            last = event;
            published.add(event.getClass().getSimpleName());
            if (!(event instanceof OnGrantedEvent)) {
                onRevoked.run();
            }
        }
    }
}
