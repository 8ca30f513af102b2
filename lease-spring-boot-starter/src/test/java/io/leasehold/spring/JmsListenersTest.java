package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import jakarta.jms.MessageListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.config.SimpleJmsListenerEndpoint;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.jms.listener.MessageListenerContainer;
import org.springframework.jms.listener.SimpleMessageListenerContainer;

@ExtendWith(OutputCaptureExtension.class)
class JmsListenersTest {
    private static final Duration A_WHILE = Duration.ofMillis(500);

    @TempDir
    Path directory;

    private final AtomicInteger published = new AtomicInteger();
    private Broker broker;

    @BeforeEach
    void startBroker() throws Exception {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        broker = Broker.start(directory);
    }

    @AfterEach
    void stopBroker() throws Exception {
        broker.close();
        Awaitility.reset();
    }

    @Test
    void aStandbysContainerIsHeldBackAndExactlyOneConsumes() {
        try (JmsReplica leader = start(JmsListenersTest::handle)) {
            await().until(() -> leader.container().isRunning());
            try (JmsReplica standby = start(JmsListenersTest::handle)) {
                publishUntilReceivedBy(leader);
                await().during(A_WHILE).until(() -> !standby.container().isRunning());
                assertThat(standby.received().begun()).isEmpty();
                assertThat(standby.listeners().refusedMessages()).isZero();
            }
        }
    }

    @Test
    void aStepDownHandsOver() {
        try (JmsReplica first = start(JmsListenersTest::handle)) {
            await().until(() -> first.container().isRunning());
            try (JmsReplica second = start(JmsListenersTest::handle)) {
                publishUntilReceivedBy(first);
                first.lease().stepDown();
                publishUntilReceivedBy(second);

                assertThat(first.container().isRunning()).isFalse();
                Set<String> both = new HashSet<>(first.received().begun());
                both.retainAll(second.received().begun());
                assertThat(both).isEmpty();
            }
        }
    }

    @Test
    void theFifthTermConsumesLikeTheFirst() {
        try (JmsReplica replica = start(JmsListenersTest::handle)) {
            for (int term = 1; term <= 5; term++) {
                await().until(() -> replica.container().isRunning());
                publishUntilReceivedBy(replica);
                replica.context().stop();
                assertThat(replica.container().isRunning()).isFalse();
                replica.context().start();
            }
        }
    }

    @Test
    void aMessageInFlightIsWaitedFor() {
        CountDownLatch proceed = new CountDownLatch(1);
        try (JmsReplica first = start(text -> awaitQuietly(proceed));
                JmsReplica second = startStandby(JmsListenersTest::handle)) {
            publishUntilBegunBy(first);
            first.lease().stepDown();
            await().until(() -> !first.container().isRunning());
            assertThat(first.listeners().status().inFlight()).isPositive();
            assertThat(first.lease().isHeld()).isTrue();
            assertThat(second.lease().isHeld()).isFalse();

            proceed.countDown();
            await().until(second.lease()::isHeld);
            assertThat(first.received().done()).isEqualTo(first.received().begun());
        }
    }

    @Test
    void aListenerThatHangsLeavesTheLeaseToRunOut(CapturedOutput output) {
        CountDownLatch hang = new CountDownLatch(1);
        try (JmsReplica first = start(text -> awaitQuietly(hang));
                JmsReplica second = startStandby(JmsListenersTest::handle)) {
            publishUntilBegunBy(first);
            first.lease().stepDown();
            await().until(() -> first.listeners().status().stage() == ListenersStage.STOP_NOT_CONFIRMED);
            assertThat(second.lease().isHeld()).isFalse();

            await().until(second.lease()::isHeld);
            assertThat(first.lease().isHeld()).isFalse();
            assertThat(first.received().done()).isEmpty();
            assertThat(output).containsOnlyOnce("stop not confirmed, listeners [orders] are still at work");
            publishUntilReceivedBy(second);

            hang.countDown();
            await().until(() -> first.listeners().status().stage() == ListenersStage.HELD_BACK);
        }
    }

    @Test
    void closingTheLeaderStopsItsContainerThenReleases() {
        try (JmsReplica second = start(JmsListenersTest::handle)) {
            await().until(() -> second.container().isRunning());
            JmsReplica first = start(JmsListenersTest::handle);
            MessageListenerContainer container = first.container();
            second.lease().stepDown();
            await().until(container::isRunning);

            Path term = directory.resolve("lease/" + first.lease().requireEpoch() + ".json");

            first.close();

            assertThat(container.isRunning()).isFalse();
            assertThat(term).content().contains("\"released\":true");
            await().until(second.lease()::isHeld);
        }
    }

    @Test
    void aStandbyWhoseContextIsStoppedAndStartedConsumesNothing() {
        LeaderLease other = holdElsewhere();
        try (JmsReplica standby = start(JmsListenersTest::handle)) {
            standby.context().stop();
            standby.context().start();
            publishFor(A_WHILE);
            assertThat(standby.container().isRunning()).isFalse();
            standby.context().pause();
            standby.context().restart();
            publishFor(A_WHILE);
            assertThat(standby.container().isRunning()).isFalse();
            assertThat(standby.received().begun()).isEmpty();
        } finally {
            other.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.jms.listener.session.transacted=true",
                "spring.jms.listener.session.transacted=false,spring.jms.listener.session.acknowledge-mode=client"
            })
    void aMessageThatReachesAStandbyIsNotHandledAndComesAgain(String session, CapturedOutput output) {
        LeaderLease other = holdElsewhere();
        String[] properties = (session + ",spring.jms.pub-sub-domain=false").split(",", -1);
        try (JmsReplica standby = start(JmsListenersTest::handle, properties)) {
            broker.send("confidential");
            // Now and then it is stopped before it has received anything.
            await().until(() -> {
                standby.container().start();
                return standby.listeners().refusedMessages() > 0;
            });
            await().until(() -> !standby.container().isRunning());
            assertThat(standby.received().begun()).isEmpty();

            other.close();
            await().until(() -> standby.received().done().contains("confidential"));
            assertThat(output)
                    .containsOnlyOnce("does not hold the lease; it is not handled")
                    .doesNotContain("confidential");
        }
    }

    @Test
    void aContainerRegisteredLateOnAStandbyIsStoppedAndFollows() {
        LeaderLease other = holdElsewhere();
        try (JmsReplica standby = start(JmsListenersTest::handle)) {
            JmsListenerEndpointRegistry registry = standby.context().getBean(JmsListenerEndpointRegistry.class);
            SimpleJmsListenerEndpoint endpoint = new SimpleJmsListenerEndpoint();
            endpoint.setId("late");
            endpoint.setDestination(JmsReplica.DESTINATION);
            endpoint.setMessageListener(message -> {});
            registry.registerListenerContainer(
                    endpoint, standby.context().getBean(DefaultJmsListenerContainerFactory.class), true);
            MessageListenerContainer late = Objects.requireNonNull(registry.getListenerContainer("late"));
            await().until(() -> !late.isRunning());

            other.close();
            await().until(late::isRunning);
        }
    }

    @Test
    void onlyWhatIsNamedFollows() {
        LeaderLease other = holdElsewhere();
        try (JmsReplica standby = start(JmsListenersTest::handle, "lease.listeners=orders")) {
            assertThat(standby.listeners().status().stopped()).containsExactly("orders");
            publishFor(A_WHILE);
            assertThat(standby.received().begun()).isEmpty();
        } finally {
            other.close();
        }
    }

    @Test
    void aContainerThatIsABeanIsHeldBackAndFollows() {
        LeaderLease other = holdElsewhere();
        DefaultMessageListenerContainer container = configure(new DefaultMessageListenerContainer());
        try (JmsReplica standby = startWith(container)) {
            assertThat(container.isAutoStartup()).isFalse();
            assertThat(container.isRunning()).isFalse();
            assertThat(standby.listeners().status().stopped()).containsExactly("bean", "orders");

            other.close();
            await().until(container::isRunning);
        }
        assertThat(container.isRunning()).isFalse();
    }

    @Test
    void aContainerThatKeepsItsConsumerWhileStoppedIsWarnedOf(CapturedOutput output) {
        SimpleMessageListenerContainer container = configure(new SimpleMessageListenerContainer());
        try (JmsReplica replica = startWith(container)) {
            await().until(container::isRunning);
            replica.lease().stepDown();
            await().until(() -> !container.isRunning());
        }
        assertThat(output).containsOnlyOnce("Listener bean runs in a SimpleMessageListenerContainer");
    }

    private JmsReplica startWith(AbstractMessageListenerContainer container) {
        return JmsReplica.start(
                directory.resolve("lease").toString(),
                JmsListenersTest::handle,
                context -> context.registerBean("bean", AbstractMessageListenerContainer.class, () -> container));
    }

    private static <T extends AbstractMessageListenerContainer> T configure(T container) {
        container.setConnectionFactory(new ActiveMQConnectionFactory(Broker.URL));
        container.setDestinationName("elsewhere");
        container.setMessageListener((MessageListener) message -> {});
        return container;
    }

    private static void handle(String text) {
        assertThat(text).isNotEmpty();
    }

    private JmsReplica start(Consumer<String> work, String... properties) {
        return JmsReplica.start(directory.resolve("lease").toString(), work, properties);
    }

    /** Started when another leads. */
    private JmsReplica startStandby(Consumer<String> work) {
        await().until(() -> directory.resolve("lease/1.json").toFile().exists());
        return start(work);
    }

    private LeaderLease holdElsewhere() {
        Path path = directory.resolve("lease");
        LeaderLease other = new LeaderLease(
                LeaderLifecycleTest.SETTINGS,
                FileLeaseStore.open(path, "orders", FileStoreOptions.DEFAULTS),
                FileStateStore.open(path.resolve("state"), "orders", FileStoreOptions.DEFAULTS));
        other.start();
        await().until(other::isHeld);
        return other;
    }

    private void publishUntilReceivedBy(JmsReplica replica) {
        int before = replica.received().done().size();
        await().until(() -> {
            broker.publish("message " + published.incrementAndGet());
            return replica.received().done().size() > before;
        });
    }

    private void publishUntilBegunBy(JmsReplica replica) {
        await().until(() -> {
            broker.publish("message " + published.incrementAndGet());
            return !replica.received().begun().isEmpty();
        });
    }

    private void publishFor(Duration time) {
        await().during(time).until(() -> {
            broker.publish("message " + published.incrementAndGet());
            return true;
        });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
