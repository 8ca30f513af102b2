package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseSnapshot;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real threads: a store that hangs for longer than the ttl keeps no work running. */
class HungStoreTest {
    private static final Duration TTL = Duration.ofMillis(1500);

    /** Where a renew can hang. */
    private enum Call {
        READ,
        BEFORE_WRITE,
        AFTER_WRITE;

        void hook(HookedLeaseStore store, Runnable hook) {
            switch (this) {
                case READ -> store.beforeRead = hook;
                case BEFORE_WRITE -> store.beforeWrite = hook;
                case AFTER_WRITE -> store.afterWrite = hook;
            }
        }
    }

    private final MemoryLeaseStore memory = new MemoryLeaseStore();
    private final HookedLeaseStore store = new HookedLeaseStore(memory);
    private final CallRecorder recorder = new CallRecorder();

    private LeaderLease contender(Duration drainTimeout, @Nullable StateStore states) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .holderPrefix("a")
                .ttl(TTL)
                .renewInterval(Duration.ofMillis(200))
                .drainTimeout(drainTimeout)
                .build();
        LeaderLease lease = new LeaderLease(settings, store, states);
        lease.addListener(recorder);
        return lease;
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void aRenewThatHangsKeepsNeitherTheLeaseNorTheWorkPastTheDeadline(Call call) {
        try (LeaderLease lease = contender(Duration.ZERO, null);
                Gate gate = new Gate()) {
            lease.start();
            await().until(() -> recorder.calls.contains("acquired 1"));
            call.hook(store, gate::pass);
            gate.awaitReached();
            Lease term = lease.current().orElseThrow();

            await().until(() -> recorder.calls.contains("surrendered 1 EXPIRED"));
            assertThat(gate.isOpen()).isFalse();
            assertThat(term.isHeld()).isFalse();
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.status().remaining()).isZero();

            call.hook(store, () -> {});
            gate.open();
            await().until(() -> recorder.calls.contains("acquired 2"));
            assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 EXPIRED", "acquired 2");
            assertThat(lease.requireEpoch()).isEqualTo(2);
        }
    }

    @Test
    void whileARenewHangsTheWorkIsToldAtTheDrainPointWithItsTimeLeft() {
        AtomicReference<Lease> term = new AtomicReference<>();
        AtomicReference<Boolean> heldWhenTold = new AtomicReference<>();
        try (LeaderLease lease = contender(Duration.ofSeconds(1), null);
                Gate gate = new Gate()) {
            recorder.onAcquired = () -> term.set(lease.current().orElse(null));
            recorder.onSurrendered =
                    () -> heldWhenTold.set(Objects.requireNonNull(term.get()).isHeld());
            lease.start();
            await().until(() -> recorder.calls.contains("acquired 1"));
            store.beforeRead = gate::pass;
            gate.awaitReached();
            await().until(() -> recorder.calls.contains("surrendered 1 UNCONFIRMED"));
            await().untilAtomic(heldWhenTold, value -> assertThat(value).isTrue());
            await().until(() -> !lease.isHeld());
            assertThat(gate.isOpen()).isFalse();
            LeaseSnapshot left = memory.read();
            assertThat(Objects.requireNonNull(left.record()).released()).isFalse();
        }
    }

    @Test
    void aClaimThatHangsAndSucceedsLateDoesNotLead() {
        try (LeaderLease lease = contender(Duration.ZERO, null);
                Gate gate = new Gate()) {
            store.afterWrite = gate::pass;
            lease.start();
            gate.awaitReached();
            assertThat(memory.read().epoch()).isEqualTo(1);
            assertThat(lease.isHeld()).isFalse();
            await().pollDelay(TTL).until(() -> true);
            store.afterWrite = () -> {};
            gate.open();
            await().until(lease::isHeld);
            assertThat(lease.requireEpoch()).isEqualTo(2);
            await().until(() -> !recorder.calls.isEmpty());
            assertThat(recorder.calls).containsExactly("acquired 2");
            assertThat(lease.counts().acquired()).isEqualTo(1);
        }
    }

    @Test
    void aStoreThatHangsAtItsFirstLookHoldsUpNoStart() {
        try (Gate gate = new Gate();
                LeaderLease lease = contender(Duration.ZERO, null)) {
            store.beforeRead = gate::pass;
            lease.start();
            gate.awaitReached();
            assertThat(lease.status().phase()).isEqualTo(LeasePhase.STANDBY);
            assertThat(lease.isHeld()).isFalse();
            gate.open();
            await().until(lease::isHeld);
        }
    }

    @Test
    void aStoreThatCannotBeWatchedIsPolled() {
        store.afterWatch = () -> {
            throw new IllegalStateException("no watches are left");
        };
        try (LeaderLease lease = contender(Duration.ZERO, null)) {
            lease.start();
            await().until(lease::isHeld);
        }
    }

    @Test
    void aCommitThatHangsDoesNotKeepTheTerm() throws Exception {
        HangingState states = new HangingState();
        try (LeaderLease lease = contender(Duration.ofMillis(500), states);
                Gate gate = new Gate()) {
            lease.start();
            await().until(() -> recorder.calls.contains("acquired 1"));
            states.beforeWrite = gate::pass;
            FutureTask<Void> commit = new FutureTask<>(() -> lease.state().commit("position", "1"), null);
            new Thread(commit).start();
            gate.awaitReached();
            assertThat(lease.isHeld()).isTrue();

            lease.stepDown();
            await().until(() -> !lease.isHeld());
            assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 STEPPED_DOWN");
            assertThat(failureOf(commit))
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("the outcome is unknown");
            assertThat(gate.isOpen()).isFalse();

            states.beforeWrite = () -> {};
            await().until(lease::isHeld);
            lease.state().commit("position", "2");
            gate.open();
            assertThat(states.snapshot()).isEqualTo(Map.of("position", "2"));
        }
    }

    private static Throwable failureOf(FutureTask<Void> commit) throws Exception {
        try {
            commit.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
        throw new AssertionError("The commit succeeded");
    }

    /** A state whose commits hang when a test says so. */
    private static final class HangingState implements StateStore {
        private final StateStore states = new MemoryStateStore();
        volatile Runnable beforeWrite = () -> {};

        @Override
        public StateHead head() {
            return states.head();
        }

        @Override
        public StateSession open(long epoch, String holder, String leaseId) {
            StateSession session = states.open(epoch, holder, leaseId);
            return new StateSession() {
                @Override
                public Map<String, String> entries() {
                    return session.entries();
                }

                @Override
                public void write(Map<String, String> entries) {
                    beforeWrite.run();
                    session.write(entries);
                }
            };
        }

        @Override
        public Map<String, String> snapshot() {
            return states.snapshot();
        }

        @Override
        public String location() {
            return states.location();
        }
    }
}
