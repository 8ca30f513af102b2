package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import io.leasehold.LeaseSettings;
import io.leasehold.SurrenderReason;
import io.leasehold.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.config.SimpleJmsListenerContainerFactory;
import org.springframework.jms.config.SimpleJmsListenerEndpoint;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

@ExtendWith(OutputCaptureExtension.class)
class LeaderLifecycleTest {
    static final LeaseSettings SETTINGS = LeaseSettings.builder("orders")
            .ttl(Duration.ofSeconds(2))
            .renewInterval(Duration.ofMillis(150))
            .drainTimeout(Duration.ofMillis(700))
            .build();

    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final FakeContainer container = new FakeContainer("container");
    private final LeaderLease other = new LeaderLease(SETTINGS, store, null);

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
    void contendsOnlyOnceTheContextHasStarted() {
        List<LeasePhase> phases = new CopyOnWriteArrayList<>();
        try (Replica replica = Replica.start(
                store,
                context -> context.registerBean(
                        StartedLast.class,
                        () -> new StartedLast(() -> phases.add(
                                context.getBean(LeaderLease.class).status().phase()))))) {
            assertThat(phases).containsExactly(LeasePhase.CLOSED);
            await().until(replica.lease()::isHeld);
        }
    }

    @Test
    void aContextThatFailsToStartNeverContends() {
        CompletableFuture<LeaderLease> lease = new CompletableFuture<>();
        try (Replica unused = Replica.start(
                store,
                context -> context.registerBean(
                        StartedLast.class,
                        () -> new StartedLast(() -> {
                            lease.complete(context.getBean(LeaderLease.class));
                            throw new IllegalStateException("cannot start");
                        })))) {
            assertThat(unused).isNull();
        } catch (RuntimeException e) {
            assertThat(e).hasRootCauseMessage("cannot start");
        }
        assertThat(lease.join().status().phase()).isEqualTo(LeasePhase.CLOSED);
        await().until(() -> lifecycleThreads() == 0);
    }

    @Test
    void listenersStopBeforeTheLeaseIsReleased() {
        CompletableFuture<Runnable> stopped = new CompletableFuture<>();
        container.onStop(stopped::complete);
        try (Replica replica = Replica.start(store, container)) {
            await().until(container::isRunning);
            other.start();

            replica.lease().stepDown();
            await().until(stopped::isDone);
            assertThat(replica.lease().isHeld()).isTrue();
            assertThat(released()).isFalse();

            stopped.join().run();
            await().until(other::isHeld);
            assertThat(container.calls()).containsExactly("start", "stop", "stopped");
        }
    }

    @Test
    void closingTheContextStopsThenReleases() {
        List<Boolean> releasedAtStop = new CopyOnWriteArrayList<>();
        container.onStop(callback -> {
            releasedAtStop.add(released());
            callback.run();
        });
        Replica replica = Replica.start(store, container);
        await().until(container::isRunning);

        replica.close();

        assertThat(releasedAtStop).containsExactly(false);
        assertThat(released()).isTrue();
        assertThat(replica.lease().status().phase()).isEqualTo(LeasePhase.CLOSED);
        assertThat(replica.events().published()).hasSize(2);
        replica.close();
        assertThat(container.calls()).containsExactly("start", "stop", "stopped");
    }

    @Test
    void aStopThatIsNotConfirmedLeavesTheLeaseToRunOut(CapturedOutput output) {
        CompletableFuture<Runnable> stopped = new CompletableFuture<>();
        container.onStop(stopped::complete);
        try (Replica replica = Replica.start(store, container)) {
            await().until(container::isRunning);
            other.start();

            replica.lease().stepDown();
            await().until(() -> replica.listeners().status().stage() == ListenersStage.STOP_NOT_CONFIRMED);
            assertThat(other.isHeld()).isFalse();
            await().until(other::isHeld);
            assertThat(replica.lease().isHeld()).isFalse();
            assertThat(output.getAll().split("stop not confirmed", -1)).hasSize(2);

            stopped.join().run();
            await().until(() -> replica.listeners().status().stage() == ListenersStage.HELD_BACK);
        }
    }

    @Test
    void aStartThatHangsDoesNotHoldUpTheSurrender() {
        CountDownLatch hang = new CountDownLatch(1);
        container.onStart(() -> awaitQuietly(hang));
        // A start is waited for as long as a ttl, which is longer than this test waits.
        try (Replica replica = Replica.start(
                store, context -> TestPropertyValues.of("lease.ttl=60s").applyTo(context), container)) {
            await().until(container::isRunning);

            replica.lease().stepDown();
            await().until(() -> replica.events().published().size() == 2);
            assertThat(container.calls()).containsExactly("start");

            hang.countDown();
            await().until(() -> !container.isRunning());
            assertThat(container.calls()).startsWith("start", "stop", "stopped");
        }
    }

    @Test
    void listenersStartAndStopSideBySide() {
        CyclicBarrier both = new CyclicBarrier(2);
        FakeContainer first = new FakeContainer("first");
        FakeContainer second = new FakeContainer("second");
        for (FakeContainer each : List.of(first, second)) {
            each.onStart(() -> meet(both)).onStop(callback -> {
                meet(both);
                callback.run();
            });
        }
        try (Replica replica = Replica.start(store, first, second)) {
            await().until(() -> replica.listeners().status().stage() == ListenersStage.STARTED);
            replica.lease().stepDown();
            await().until(() -> replica.listeners().status().stage() == ListenersStage.HELD_BACK);
            assertThat(first.calls()).containsExactly("start", "stop", "stopped");
            assertThat(second.calls()).containsExactly("start", "stop", "stopped");
        }
    }

    @Test
    void aContextThatIsStoppedAndStartedGivesTheLeaseUpAndContendsAgain() {
        try (Replica replica = Replica.start(store, container)) {
            for (int term = 1; term <= 5; term++) {
                await().until(() -> replica.listeners().status().stage() == ListenersStage.STARTED);
                assertThat(container.isRunning()).isTrue();
                replica.context().stop();
                assertThat(container.isRunning()).isFalse();
                assertThat(replica.lease().isHeld()).isFalse();
                assertThat(released()).isTrue();
                replica.context().start();
            }
            assertStrictPairs(replica.events().published());
        }
    }

    @Test
    void aContextThatIsPausedAndRestartedGivesTheLeaseUpAndContendsAgain() {
        try (Replica replica = Replica.start(store, container)) {
            await().until(container::isRunning);
            replica.context().pause();
            assertThat(container.isRunning()).isFalse();
            assertThat(released()).isTrue();
            replica.context().restart();
            await().until(container::isRunning);
        }
    }

    @Test
    void aStandbyThatIsStoppedAndStartedRunsNothing() {
        other.start();
        await().until(other::isHeld);
        try (Replica replica = Replica.start(store, container)) {
            replica.context().stop();
            replica.context().start();
            await().until(() -> !container.isRunning());
            await().during(Duration.ofMillis(500)).until(() -> !container.isRunning());
            assertThat(replica.events().published()).isEmpty();
        }
    }

    @Test
    void aListenerStartedByHandOnAStandbyIsStopped() {
        other.start();
        await().until(other::isHeld);
        try (Replica unused = Replica.start(store, container)) {
            container.start();
            await().until(() -> container.calls().contains("stopped"));
        }
    }

    @Test
    void twoOfOneNameDoNotKeepAStandbyFromStoppingWhatRuns() {
        other.start();
        await().until(other::isHeld);
        try (Replica replica = Replica.start(store, container)) {
            SimpleJmsListenerEndpoint endpoint = new SimpleJmsListenerEndpoint();
            endpoint.setId("twice");
            endpoint.setDestination("anywhere");
            endpoint.setMessageListener(message -> {});
            JmsListenerEndpointRegistry registry = new JmsListenerEndpointRegistry();
            SimpleJmsListenerContainerFactory factory = new SimpleJmsListenerContainerFactory();
            factory.setConnectionFactory(new ActiveMQConnectionFactory("vm://0"));
            registry.registerListenerContainer(endpoint, factory);
            replica.context().getBeanFactory().registerSingleton("registry", registry);
            replica.context().getBeanFactory().registerSingleton("twice", new DefaultMessageListenerContainer());

            container.start();
            await().until(() -> container.calls().contains("stopped"));
        }
    }

    @Test
    void aListenerOfTheEventThatHangsIsToldOfWhenTheDrainTimeoutHasPassed(CapturedOutput output) {
        CountDownLatch hang = new CountDownLatch(1);
        try (Replica replica = Replica.start(
                store,
                context -> context.addApplicationListener(event -> {
                    if (event instanceof PayloadApplicationEvent<?> payload
                            && payload.getPayload() instanceof LeadershipLost) {
                        awaitQuietly(hang);
                    }
                }),
                container)) {
            await().until(container::isRunning);
            replica.lease().stepDown();
            await().until(() -> replica.listeners().status().stage() == ListenersStage.STOP_NOT_CONFIRMED);
            assertThat(output).containsOnlyOnce("stop not confirmed");

            hang.countDown();
            await().until(() -> replica.listeners().status().stage() == ListenersStage.HELD_BACK);
        }
    }

    @Test
    void aListenerStoppedByHandOnTheLeaderStaysStopped() {
        try (Replica replica = Replica.start(store, container)) {
            await().until(() -> replica.listeners().status().stage() == ListenersStage.STARTED);
            container.stop();
            await().during(Duration.ofMillis(500)).until(() -> !container.isRunning());
            assertThat(replica.lease().isHeld()).isTrue();
        }
    }

    @Test
    void eventsComeInStrictPairsWithTheirEpochs() {
        try (Replica replica = Replica.start(store, container)) {
            await().until(container::isRunning);
            long epoch = replica.lease().requireEpoch();
            String holder = replica.lease().status().holder();
            replica.lease().stepDown();
            await().until(() -> replica.events().published().size() == 2);

            assertThat(replica.events().published().get(0)).isEqualTo(new LeadershipAcquired("orders", holder, epoch));
            assertThat(replica.events().published().get(1)).isInstanceOfSatisfying(LeadershipLost.class, lost -> {
                assertThat(lost.name()).isEqualTo("orders");
                assertThat(lost.epoch()).isEqualTo(epoch);
                assertThat(lost.reason()).isEqualTo(SurrenderReason.STEPPED_DOWN);
                assertThat(lost.held()).isPositive();
            });
        }
    }

    @Test
    void anEventListenerThatThrowsBreaksNothing() {
        ApplicationListener<?> broken = new BrokenListener();
        try (Replica replica = Replica.start(store, context -> context.addApplicationListener(broken), container)) {
            await().until(container::isRunning);
            other.start();
            replica.lease().stepDown();
            await().until(other::isHeld);
            assertThat(container.isRunning()).isFalse();
        }
    }

    @Test
    void theProcessIsKeptAliveOnlyWhileTheContextRuns() {
        other.start();
        await().until(other::isHeld);
        try (Replica unused = Replica.start(store, container)) {
            assertThat(lifecycleThreads()).isEqualTo(1);
        }
        await().until(() -> lifecycleThreads() == 0);
    }

    @Test
    void theEndOfAnotherContextDoesNotEndTheLease() {
        try (Replica replica = Replica.start(store, container)) {
            await().until(container::isRunning);
            AnnotationConfigApplicationContext child = new AnnotationConfigApplicationContext();
            child.setParent(replica.context());
            child.refresh();
            child.close();
            await().during(Duration.ofMillis(300)).until(replica.lease()::isHeld);
        }
    }

    @Test
    void aDrainTimeoutBeyondTheShutdownPhaseIsWarnedOfOnce(CapturedOutput output) {
        try (Replica replica = Replica.start(
                store,
                context -> TestPropertyValues.of("spring.lifecycle.timeout-per-shutdown-phase=500ms")
                        .applyTo(context))) {
            replica.context().stop();
            replica.context().start();
        }
        assertThat(output.getAll().split("the context waits only PT0.5S", -1)).hasSize(2);
    }

    @Test
    void aTimeoutThatFitsIsNotWarnedOf(CapturedOutput output) {
        Replica.start(store).close();
        assertThat(output).doesNotContain("timeout-per-shutdown-phase");
    }

    private boolean released() {
        var lease = store.read().record();
        return lease != null && lease.released();
    }

    private static long lifecycleThreads() {
        Set<Thread> threads = Thread.getAllStackTraces().keySet();
        return threads.stream()
                .filter(thread -> thread.getName().equals("lease-keep-alive") && !thread.isDaemon())
                .count();
    }

    private static void assertStrictPairs(List<Object> events) {
        for (int i = 0; i + 1 < events.size(); i += 2) {
            LeadershipAcquired acquired = (LeadershipAcquired) events.get(i);
            LeadershipLost lost = (LeadershipLost) events.get(i + 1);
            assertThat(lost.epoch()).isEqualTo(acquired.epoch());
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Starts by itself, in the last phase. */
    record StartedLast(Runnable action) implements SmartLifecycle {
        @Override
        public void start() {
            action.run();
        }

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }

    static final class BrokenListener implements ApplicationListener<PayloadApplicationEvent<?>> {
        @Override
        public void onApplicationEvent(PayloadApplicationEvent<?> event) {
            Object payload = event.getPayload();
            if (payload instanceof LeadershipAcquired || payload instanceof LeadershipLost) {
                throw new IllegalStateException("broken");
            }
        }
    }
}
