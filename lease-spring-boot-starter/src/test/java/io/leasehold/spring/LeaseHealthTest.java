package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.spring.health.LeaseHealthIndicator;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class LeaseHealthTest {
    private final MemoryLeaseStore shared = new MemoryLeaseStore();
    private final UnreliableStore store = new UnreliableStore(shared);
    private final FakeContainer container = new FakeContainer("container");

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void reset() {
        Awaitility.reset();
    }

    @Test
    void aHolderIsUp() {
        try (Replica holder = Replica.start(store, container)) {
            awaitStarted(holder);
            Health health = health(holder);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails())
                    .containsOnlyKeys(
                            "name",
                            "role",
                            "epoch",
                            "holder",
                            "currentHolder",
                            "lastConfirmed",
                            "listeners",
                            "confirmed")
                    .containsEntry("name", "orders")
                    .containsEntry("role", "leader")
                    .containsEntry("epoch", 1L)
                    .containsEntry("holder", holder.lease().status().holder())
                    .containsEntry("currentHolder", holder.lease().status().holder())
                    .containsEntry("confirmed", true)
                    .containsEntry("listeners", Map.of("stage", "started", "running", 1, "stopped", 0, "inFlight", 0));
            assertThat(Instant.parse(String.valueOf(health.getDetails().get("lastConfirmed"))))
                    .isBeforeOrEqualTo(Instant.now());
        }
    }

    @Test
    void aStandbyIsUp() {
        try (Replica holder = Replica.start(store);
                Replica standby = Replica.start(new UnreliableStore(shared), container)) {
            await().until(holder.lease()::isHeld);
            await().until(() ->
                    Long.valueOf(1).equals(health(standby).getDetails().get("epoch")));
            assertThat(health(standby).getStatus()).isEqualTo(Status.UP);
            assertThat(health(standby).getDetails())
                    .containsOnlyKeys("name", "role", "epoch", "holder", "currentHolder", "listeners")
                    .containsEntry("role", "standby")
                    .containsEntry("holder", standby.lease().status().holder())
                    .containsEntry("currentHolder", holder.lease().status().holder())
                    .containsEntry(
                            "listeners", Map.of("stage", "held back", "running", 0, "stopped", 1, "inFlight", 0));
        }
    }

    @Test
    void aStandbyThatCannotReadTheLeaseIsUnknown() {
        store.failing = true;
        try (Replica standby = Replica.start(store, container)) {
            await().until(() -> health(standby).getStatus().equals(Status.UNKNOWN));
            assertThat(health(standby).getDetails())
                    .containsEntry("role", "standby")
                    .containsEntry("reason", "the directory does not answer");
            store.failing = false;
            await().until(() -> health(standby).getStatus().equals(Status.UP));
        }
    }

    @Test
    void aHolderThatCannotConfirmIsUpUntilItsDrainPoint() {
        try (Replica holder = Replica.start(store, container)) {
            awaitStarted(holder);
            store.failing = true;
            await().until(() -> Boolean.FALSE.equals(health(holder).getDetails().get("confirmed")));
            await().until(() -> health(holder).getStatus().equals(Status.UNKNOWN));
            assertThat(container.isRunning()).isFalse();
            assertThat(holder.events().published()).hasSize(2);
        }
    }

    @Test
    void aLeaderWithoutRunningListenersIsDown() {
        try (Replica holder = Replica.start(store, container)) {
            awaitStarted(holder);
            container.stop();
            assertThat(health(holder).getStatus()).isEqualTo(Status.DOWN);
            assertThat(health(holder).getDetails())
                    .containsEntry("reason", "listeners do not run")
                    .containsEntry("stopped", List.of("container"));
        }
    }

    @Test
    void aLeaderWhoseListenersCannotBeStartedIsDownAndSaysWhy() {
        container.onStart(() -> {
            throw new IllegalStateException("the queue is missing");
        });
        try (Replica holder = Replica.start(store, container)) {
            await().until(() -> health(holder).getStatus().equals(Status.DOWN));
            assertThat(health(holder).getDetails())
                    .extractingByKey("reason")
                    .asString()
                    .contains("container", "the queue is missing");
        }
    }

    @Test
    void aStopThatIsNotConfirmedIsDown() {
        CompletableFuture<Runnable> stopped = new CompletableFuture<>();
        container.onStop(stopped::complete);
        try (Replica holder = Replica.start(store, container)) {
            awaitStarted(holder);
            holder.lease().stepDown();
            await().until(() -> health(holder).getStatus().equals(Status.DOWN));
            assertThat(health(holder).getDetails()).containsEntry("reason", "stop not confirmed");
            stopped.join().run();
            await().until(() -> health(holder).getStatus().equals(Status.UP));
        }
    }

    @Test
    void stateThatCannotBeOpenedIsDownAndNamesTheFile() {
        try (Replica replica =
                Replica.start(store, context -> context.registerBean(StateStore.class, CorruptState::new), container)) {
            await().until(() -> health(replica).getStatus().equals(Status.DOWN));
            assertThat(health(replica).getDetails())
                    .extractingByKey("reason")
                    .asString()
                    .contains("/state/1.json");
            assertThat(container.calls()).isEmpty();
        }
    }

    @Test
    void whoDoesNotContendIsUnknown() {
        Replica replica = Replica.start(store);
        await().until(replica.lease()::isHeld);
        LeaseHealthIndicator indicator = new LeaseHealthIndicator(replica.lease(), replica.listeners());
        replica.close();
        assertThat(indicator.health().getStatus()).isEqualTo(Status.UNKNOWN);
        assertThat(indicator.health().getDetails()).containsEntry("reason", "does not contend");
    }

    private static void awaitStarted(Replica replica) {
        await().until(() -> replica.listeners().status().stage() == ListenersStage.STARTED);
    }

    private static Health health(Replica replica) {
        return new LeaseHealthIndicator(replica.lease(), replica.listeners()).health();
    }

    /** A lease whose directory can stop answering. */
    private static final class UnreliableStore implements LeaseStore {
        private final LeaseStore answering;
        private volatile boolean failing;

        UnreliableStore(LeaseStore answering) {
            this.answering = answering;
        }

        @Override
        public LeaseSnapshot read() throws LeaseStoreException {
            failIfAsked();
            return answering.read();
        }

        @Override
        public void initialize() throws LeaseStoreException {
            failIfAsked();
            answering.initialize();
        }

        @Override
        public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
            failIfAsked();
            return answering.replace(expected, next);
        }

        @Override
        public String location() {
            return answering.location();
        }

        private void failIfAsked() throws LeaseStoreException {
            if (failing) {
                throw new LeaseStoreException("the directory does not answer");
            }
        }
    }

    private static final class CorruptState implements StateStore {
        private final MemoryStateStore empty = new MemoryStateStore();

        @Override
        public StateHead head() {
            return empty.head();
        }

        @Override
        public StateSession open(long epoch, String holder, String leaseId) {
            throw new StateStoreException("/state/1.json cannot be understood");
        }

        @Override
        public Map<String, String> snapshot() {
            return empty.snapshot();
        }

        @Override
        public String location() {
            return empty.location();
        }
    }
}
