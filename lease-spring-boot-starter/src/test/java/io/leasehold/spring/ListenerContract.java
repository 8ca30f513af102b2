package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;

/**
 * What the container of every listener technology keeps to, with a real broker and two applications that share a lease.
 * Each test has a lease and a destination of its own; after each, no message may have been begun without the lease, and none
 * while another replica was still at work.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("broker")
abstract class ListenerContract {
    static final Duration A_WHILE = Duration.ofMillis(500);
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final ListenerTechnology technology;
    private final List<ListeningReplica> replicas = new ArrayList<>();
    private int destinations;
    private int published;
    private boolean workOutlivesItsTerm;
    private CountDownLatch proceed = new CountDownLatch(1);

    @TempDir
    Path directory;

    ListenerContract(ListenerTechnology technology) {
        this.technology = technology;
    }

    @BeforeAll
    void startBroker() throws Exception {
        technology.startBroker();
    }

    @AfterAll
    void stopBroker() throws Exception {
        technology.close();
    }

    @BeforeEach
    void begin() {
        Awaitility.setDefaultTimeout(LIMIT);
        destinations++;
        workOutlivesItsTerm = false;
        proceed = new CountDownLatch(1);
    }

    @AfterEach
    void nothingWasHandledTwiceAtOnceOrWithoutTheLease() {
        proceed.countDown();
        replicas.forEach(ListeningReplica::close);
        try {
            for (ListeningReplica replica : replicas) {
                assertThat(replica.container().isRunning()).isFalse();
                assertThat(replica.received().messages()).allMatch(ListeningReplica.Handled::held);
            }
            if (!workOutlivesItsTerm) {
                assertThatTermsDoNotOverlap();
            }
        } finally {
            replicas.clear();
            Awaitility.reset();
        }
    }

    @Test
    void aStandbysContainerIsHeldBackAndExactlyOneConsumes() {
        ListeningReplica leader = startLeader();
        ListeningReplica standby = start(ListenerContract::finish);
        handleOneMore(leader);
        await().during(A_WHILE).until(() -> !standby.container().isRunning());
        assertThat(standby.received().begun()).isEmpty();
        assertThat(standby.listeners().refusedMessages()).isZero();
    }

    @Test
    void theFifthTermAfterAStopConsumesLikeTheFirst() {
        ListeningReplica replica = startLeader();
        for (int term = 1; term <= 5; term++) {
            await().until(replica.container()::isRunning);
            handleOneMore(replica);
            replica.context().stop();
            assertThat(replica.isIdle()).isTrue();
            replica.context().start();
        }
    }

    @Test
    void theFifthStepDownHandsOverLikeTheFirst() {
        ListeningReplica leader = startLeader();
        ListeningReplica standby = start(ListenerContract::finish);
        for (int term = 1; term <= 5; term++) {
            handleOneMore(leader);
            leader.lease().stepDown();
            handleOneMore(standby);
            assertThat(leader.isIdle()).isTrue();
            ListeningReplica next = standby;
            standby = leader;
            leader = next;
        }
    }

    @Test
    void aMessageInFlightIsWaitedForBeforeTheRelease() {
        ListeningReplica first = start((lease, text) -> waitFor(proceed));
        await().until(first.lease()::isHeld);
        ListeningReplica second = start(ListenerContract::finish);
        beginOneMore(first);
        Path term = termOf(first);

        first.lease().stepDown();
        await().until(() -> first.listeners().status().stage() == ListenersStage.STOPPING);
        await().during(A_WHILE)
                .until(() -> first.lease().isHeld() && !second.lease().isHeld());
        assertThat(first.listeners().status().inFlight()).isPositive();

        proceed.countDown();
        handleOneMore(second);
        assertThat(first.received().done()).isEqualTo(first.received().begun());
        assertThat(term).content().contains("\"released\":true");
        assertThat(first.isIdle()).isTrue();
    }

    @Test
    void aListenerThatHangsLeavesTheLeaseToRunOut(CapturedOutput output) {
        workOutlivesItsTerm = true;
        ListeningReplica first = start((lease, text) -> waitFor(proceed));
        await().until(first.lease()::isHeld);
        ListeningReplica second = start(ListenerContract::finish);
        beginOneMore(first);
        Path term = termOf(first);

        first.lease().stepDown();
        await().until(() -> first.listeners().status().stage() == ListenersStage.STOP_NOT_CONFIRMED);
        assertThat(second.lease().isHeld()).isFalse();

        await().until(second.lease()::isHeld);
        assertThat(first.lease().isHeld()).isFalse();
        assertThat(first.received().done()).isEmpty();
        assertThat(term).content().doesNotContain("\"released\":true");
        assertThat(output).containsOnlyOnce("stop not confirmed, listeners [orders] are still at work");
        handleOneMore(second);

        proceed.countDown();
        await().until(first::isIdle);
    }

    @Test
    void aBrokerThatComesLateIsConsumedFrom() throws Exception {
        technology.stopBroker();
        ListeningReplica replica;
        try {
            replica = start(ListenerContract::finish);
            await().until(replica.lease()::isHeld);
            await().during(A_WHILE).until(() -> replica.context().isActive());
        } finally {
            technology.startBroker();
        }
        handleOneMore(replica);
    }

    @Test
    void aStopWhileAStartIsPendingStops() throws Exception {
        technology.stopBroker();
        ListeningReplica replica;
        try {
            replica = start(ListenerContract::finish);
            await().until(replica.lease()::isHeld);
            replica.context().stop();
            assertThat(replica.container().isRunning()).isFalse();
            await().until(replica::isIdle);
        } finally {
            technology.startBroker();
        }
        replica.context().start();
        handleOneMore(replica);
    }

    @Test
    void aStandbyWhoseContextIsStartedAgainConsumesNothing() {
        ListeningReplica standby;
        try (LeaderLease other = holdElsewhere()) {
            standby = start(ListenerContract::finish);
            publishOneMore();
            standby.context().stop();
            standby.context().start();
            await().until(() -> !standby.container().isRunning());
            publishOneMore();
            standby.context().pause();
            standby.context().restart();
            await().until(() -> !standby.container().isRunning());
            publishOneMore();
            await().during(A_WHILE).until(() -> !standby.container().isRunning());
            assertThat(standby.received().begun()).isEmpty();
        }
        handleOneMore(standby);
    }

    @Test
    void closingTheLeaderStopsItsContainerThenReleases() {
        ListeningReplica first = startLeader();
        ListeningReplica second = start(ListenerContract::finish);
        handleOneMore(first);
        Path term = termOf(first);

        first.close();

        assertThat(first.container().isRunning()).isFalse();
        assertThat(term).content().contains("\"released\":true");
        handleOneMore(second);
    }

    @Test
    void aListenerThatStepsDownFinishesItsMessageAndHandsOver() {
        ListeningReplica first = start((lease, text) -> lease.stepDown());
        await().until(first.lease()::isHeld);
        ListeningReplica second = start(ListenerContract::finish);
        beginOneMore(first);

        handleOneMore(second);
        assertThat(first.received().done()).isEqualTo(first.received().begun());
        assertThat(first.isIdle()).isTrue();
    }

    @Test
    void aMessageThatReachesAStandbyIsNotHandledAndComesAgain(CapturedOutput output) {
        aRefusedMessageComesAgain(output);
    }

    /** Also with properties of one technology that decide on what becomes of a refused message. */
    final void aRefusedMessageComesAgain(CapturedOutput output, String... properties) {
        ListeningReplica standby;
        try (LeaderLease other = holdElsewhere()) {
            standby = start(ListenerContract::finish, properties);
            // Now and then it is stopped before it has received anything.
            await().until(() -> {
                standby.container().start();
                publish("confidential");
                return standby.listeners().refusedMessages() > 0;
            });
            await().until(() -> !standby.container().isRunning());
            assertThat(standby.received().begun()).isEmpty();
        }
        if (technology.keepsMessages()) {
            await().until(() -> standby.received().done().contains("confidential"));
        } else {
            handleOneMore(standby);
        }
        assertThat(output)
                .containsOnlyOnce("does not hold the lease; it is not handled")
                .doesNotContain("confidential");
    }

    /** For a technology that fetches several messages at once, when some have been published. */
    final void aStopEndsAfterTheMessageAtHand(String... properties) {
        ListeningReplica replica;
        try (LeaderLease other = holdElsewhere()) {
            replica = start(
                    (lease, text) -> {
                        lease.stepDown();
                        await().until(() ->
                                replicas.get(0).listeners().status().running().isEmpty());
                    },
                    properties);
        }
        await().until(() -> !replica.received().begun().isEmpty());
        await().until(replica::isIdle);
        assertThat(replica.received().done()).hasSize(1);
    }

    /** For a technology whose containers can be made to fail: the fault is put in with true and taken out with false. */
    final void aStartThatFailsIsTriedAgain(BiConsumer<SmartLifecycle, Boolean> fault) {
        ListeningReplica replica;
        try (LeaderLease other = holdElsewhere()) {
            replica = start(ListenerContract::finish);
            fault.accept(replica.container(), true);
        }
        await().until(() -> replica.listeners().startFailures() >= 2);
        assertThat(replica.container().isRunning()).isFalse();
        fault.accept(replica.container(), false);
        handleOneMore(replica);
    }

    /** The same, where the fault stays. */
    final void aStartThatAlwaysFailsLeavesTheLeaseToAnother(BiConsumer<SmartLifecycle, Boolean> fault) {
        ListeningReplica broken;
        ListeningReplica sound;
        try (LeaderLease other = holdElsewhere()) {
            broken = start(ListenerContract::finish, "lease.start-attempts=2");
            fault.accept(broken.container(), true);
        }
        await().until(() -> broken.listeners().startFailures() >= 1);
        sound = start(ListenerContract::finish);
        handleOneMore(sound);
        assertThat(broken.isIdle()).isTrue();
        assertThat(broken.received().begun()).isEmpty();
    }

    final ListeningReplica start(BiConsumer<LeaderLease, String> work, String... properties) {
        return start(work, context -> {}, properties);
    }

    /** With beans of its own. */
    final ListeningReplica startWith(Consumer<GenericApplicationContext> customizer, String... properties) {
        return start(ListenerContract::finish, customizer, properties);
    }

    private ListeningReplica start(
            BiConsumer<LeaderLease, String> work,
            Consumer<GenericApplicationContext> customizer,
            String... properties) {
        ListeningReplica replica = ListeningReplica.start(
                technology,
                work,
                customizer,
                with(properties, "lease.file.path=" + directory.resolve("lease"), "destination=" + destination()));
        replicas.add(replica);
        return replica;
    }

    final ListeningReplica startLeader(String... properties) {
        ListeningReplica replica = start(ListenerContract::finish, properties);
        await().until(replica.lease()::isHeld);
        return replica;
    }

    /** Publishes until the replica has finished one more. */
    final void handleOneMore(ListeningReplica replica) {
        int before = replica.received().done().size();
        await().until(() -> {
            publishOneMore();
            return replica.received().done().size() > before;
        });
        assertThat(replica.context().isActive()).isTrue();
        assertThat(replica.lease().status().phase()).isNotEqualTo(LeasePhase.CLOSED);
    }

    /** Publishes until the replica has begun one more. */
    final void beginOneMore(ListeningReplica replica) {
        int before = replica.received().begun().size();
        await().until(() -> {
            publishOneMore();
            return replica.received().begun().size() > before;
        });
    }

    final void publishOneMore() {
        publish("message " + ++published);
    }

    final void publish(String text) {
        technology.publish(destination(), text);
    }

    final LeaderLease holdElsewhere() {
        return LeaseElsewhere.hold(directory.resolve("lease"));
    }

    static void finish(LeaderLease lease, String text) {
        assertThat(text).isNotEmpty();
    }

    final String destination() {
        return getClass().getSimpleName() + "-" + destinations;
    }

    private Path termOf(ListeningReplica replica) {
        return directory.resolve("lease/" + replica.lease().requireEpoch() + ".json");
    }

    private void assertThatTermsDoNotOverlap() {
        record Begun(ListeningReplica by, ListeningReplica.Handled message) {}
        List<Begun> inOrder = replicas.stream()
                .flatMap(by -> by.received().messages().stream().map(message -> new Begun(by, message)))
                .sorted(Comparator.comparingLong(begun -> begun.message().begunNs()))
                .toList();
        for (int i = 1; i < inOrder.size(); i++) {
            Begun before = inOrder.get(i - 1);
            Begun next = inOrder.get(i);
            if (!before.by().equals(next.by())) {
                assertThat(before.message().doneNs())
                        .isNotNull()
                        .isLessThan(next.message().begunNs());
            }
        }
    }

    private static String[] with(String[] properties, String... more) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.addAll(List.of(more));
        return all.toArray(String[]::new);
    }

    /** As code that does not hear an interrupt. */
    private static void waitFor(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
