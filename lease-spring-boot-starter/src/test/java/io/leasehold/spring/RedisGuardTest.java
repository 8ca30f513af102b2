package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;

/** What is particular to Redis, with a real server. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("broker")
class RedisGuardTest {
    private static final RedisServer SERVER = new RedisServer();
    private static final ChannelTopic CHANNEL = ChannelTopic.of("orders");

    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final LeaderLease other = new LeaderLease(LeaderLifecycleTest.SETTINGS, store, null);
    private final List<String> handled = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void startServer() throws Exception {
        SERVER.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        SERVER.close();
    }

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        SERVER.command("FLUSHALL");
    }

    @AfterEach
    void closeOther() {
        other.close();
        Awaitility.reset();
    }

    @Test
    void aMessageThatIsQueuedForAThreadWhenTheTermEndsIsDroppedAndCounted() {
        BlockingQueue<Runnable> queued = new LinkedBlockingQueue<>();
        try (Replica replica = start((context, container) -> {
            container.setTaskExecutor(queued::add);
            container.addMessageListener((message, pattern) -> handled.add("message"), CHANNEL);
        })) {
            await().until(() -> {
                SERVER.command("PUBLISH", "orders", "confidential");
                return !queued.isEmpty();
            });
            other.start();
            replica.lease().stepDown();
            await().until(other::isHeld);
            int late = queued.size();

            queued.forEach(Runnable::run);

            assertThat(handled).isEmpty();
            assertThat(replica.listeners().refusedMessages()).isEqualTo(late);
        }
    }

    @Test
    void whatTheBeanMethodOfAPlainContainerAddsIsWarnedOf(CapturedOutput output) {
        try (Replica replica = Replica.start(store, context -> {
            connect(context);
            context.registerBean("orders", RedisMessageListenerContainer.class, () -> plain(context));
        })) {
            await().until(replica.lease()::isHeld);
            assertThat(output)
                    .containsOnlyOnce("Listener orders: what its own bean method has added to it is neither guarded");
        }
    }

    @Test
    void aListenerIsRemovedFromAPlainContainer() {
        try (Replica replica = Replica.start(store, context -> {
            connect(context);
            context.registerBean("orders", RedisMessageListenerContainer.class, () -> plain(context));
        })) {
            RedisMessageListenerContainer container =
                    replica.context().getBean("orders", RedisMessageListenerContainer.class);
            assertThat(container.isActive()).isTrue();
            MessageListener listener = (message, pattern) -> handled.add("message");
            container.addMessageListener(listener, CHANNEL);
            await().until(() -> subscribers() == 1 && container.isListening());
            container.removeMessageListener(listener);
            await().until(() -> subscribers() == 0);
        }
    }

    @Test
    void aRefusedEntryStaysPendingInItsGroup(CapturedOutput output) {
        SERVER.command("XGROUP", "CREATE", "orders", "group", "$", "MKSTREAM");
        other.start();
        await().until(other::isHeld);
        try (Replica replica = startStream(false)) {
            StreamMessageListenerContainer<?, ?> container =
                    replica.context().getBean(StreamMessageListenerContainer.class);
            assertThat(container.isAutoStartup()).isFalse();
            container.start();
            await().until(() -> {
                container.start();
                SERVER.command("XADD", "orders", "*", "text", "confidential");
                return replica.listeners().refusedMessages() > 0;
            });
            await().until(() -> !container.isRunning());
            assertThat(handled).isEmpty();
            assertThat(isPending()).isTrue();
            assertThat(output)
                    .containsOnlyOnce("does not hold the lease; it is not handled")
                    .doesNotContain("confidential");
        }
    }

    @Test
    void aGroupIsConsumedFromInTheFifthTermLikeInTheFirst() {
        SERVER.command("XGROUP", "CREATE", "orders", "group", "$", "MKSTREAM");
        try (Replica replica = startStream(true)) {
            for (int term = 1; term <= 5; term++) {
                String text = "message " + term;
                await().until(replica.lease()::isHeld);
                SERVER.command("XADD", "orders", "*", "text", text);
                await().until(() -> handled.contains(text));
                replica.context().stop();
                replica.context().start();
            }
            assertThat(handled).hasSize(5);
        }
    }

    @Test
    void aSubscriptionThatAnErrorHasEndedIsResumedInTheNextTerm() {
        try (Replica replica = startStream(true)) {
            for (int term = 1; term <= 3; term++) {
                String text = "message " + term;
                await().until(() -> replica.listeners().status().stage() == ListenersStage.STARTED);
                SERVER.command("XGROUP", "CREATE", "orders", "group", "$", "MKSTREAM");
                replica.context().stop();
                replica.context().start();
                SERVER.command("XADD", "orders", "*", "text", text);
                await().until(() -> handled.contains(text));
                SERVER.command("DEL", "orders");
            }
        }
    }

    @Test
    void aContainerThatDoesNotFollowIsAPlainOne() {
        other.start();
        await().until(other::isHeld);
        FakeContainer named = new FakeContainer("named");
        try (Replica replica = Replica.start(
                store,
                context -> {
                    connect(context);
                    context.registerBean("orders", RedisMessageListenerContainer.class, () -> {
                        RedisMessageListenerContainer container = guarded(context);
                        container.addMessageListener((message, pattern) -> handled.add("message"), CHANNEL);
                        return container;
                    });
                },
                named)) {
            assertThat(replica.lease().isHeld()).isFalse();
            await().until(() -> {
                SERVER.command("PUBLISH", "orders", "text");
                return !handled.isEmpty();
            });
            assertThat(replica.listeners().refusedMessages()).isZero();
        }
    }

    private Replica start(BiConsumer<GenericApplicationContext, RedisMessageListenerContainer> setUp) {
        return Replica.start(store, context -> {
            connect(context);
            context.registerBean("orders", RedisMessageListenerContainer.class, () -> {
                RedisMessageListenerContainer container = guarded(context);
                setUp.accept(context, container);
                return container;
            });
        });
    }

    /** A plain container, which another bean subscribes with. */
    private Replica startStream(boolean automatic) {
        return Replica.start(store, context -> {
            connect(context);
            context.registerBean(
                    "orders",
                    StreamMessageListenerContainer.class,
                    () -> StreamMessageListenerContainer.create(
                            context.getBean(RedisConnectionFactory.class), RedisStreamTechnology.options()));
            context.registerBean(Subscriber.class, () -> new Subscriber(context, automatic, handled));
        });
    }

    private static RedisMessageListenerContainer plain(GenericApplicationContext context) {
        RedisMessageListenerContainer container = new RedisMessageListenerContainer();
        container.setConnectionFactory(context.getBean(RedisConnectionFactory.class));
        return container;
    }

    private static RedisMessageListenerContainer guarded(GenericApplicationContext context) {
        RedisMessageListenerContainer container = new GuardedRedisMessageListenerContainer();
        container.setConnectionFactory(context.getBean(RedisConnectionFactory.class));
        return container;
    }

    private static void connect(GenericApplicationContext context) {
        context.registerBean(RedisGuards.class);
        context.registerBean(
                RedisConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", SERVER.port()));
    }

    /** What a publish reaches, as Redis counts it. */
    private static int subscribers() {
        return Integer.parseInt(SERVER.command("PUBLISH", "orders", "text").substring(1));
    }

    /** An entry that is delivered already is the first of a group's pending ones. */
    private static boolean isPending() {
        return SERVER.command("XPENDING", "orders", "group", "-", "+", "1").equals("*1");
    }

    private static final class Subscriber implements SmartInitializingSingleton {
        private final GenericApplicationContext context;
        private final boolean automatic;
        private final List<String> handled;

        Subscriber(GenericApplicationContext context, boolean automatic, List<String> handled) {
            this.context = context;
            this.automatic = automatic;
            this.handled = handled;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void afterSingletonsInstantiated() {
            StreamMessageListenerContainer<String, MapRecord<String, String, String>> container =
                    context.getBean(StreamMessageListenerContainer.class);
            StreamOffset<String> offset = StreamOffset.create("orders", ReadOffset.lastConsumed());
            Consumer consumer = Consumer.from("group", "replica");
            if (automatic) {
                container.receiveAutoAck(
                        consumer, offset, entry -> handled.add(entry.getValue().get("text")));
            } else {
                container.receive(
                        consumer, offset, entry -> handled.add(entry.getValue().get("text")));
            }
        }
    }
}
