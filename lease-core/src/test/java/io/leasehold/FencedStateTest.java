package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Terms of several holders on one state store: the epoch in the write is the guarantee, whatever a holder believes. */
class FencedStateTest {
    private static final String LEASE_ID = "lease-1";
    private static final LeaseSettings SETTINGS =
            LeaseSettings.builder("orders").ttl(Duration.ofSeconds(10)).build();

    @TempDir
    Path directory;

    private final ManualClock clock = new ManualClock();
    private final ExecutorService pool = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    private FileStateStore files() {
        return FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS);
    }

    /** The state as a holder sees it that believes in its term. */
    private LeaderState believer(String holder, long epoch, StateSession session) {
        Lease lease = new Lease(
                SETTINGS,
                holder,
                epoch,
                clock.now(),
                clock,
                (term, reason) -> {},
                of -> new TermState(of, session, new LeaseCounters(), new Observers(), pool, fence -> {}));
        return lease.state();
    }

    private LeaderState open(StateStore store, String holder, long epoch) {
        return believer(holder, epoch, store.open(epoch, holder, LEASE_ID));
    }

    private void assertThatAStaleLeaderLosesNoUpdate(StateStore store) {
        open(store, "a", 4).commit(Map.of("a", "1", "b", "1"));
        LeaderState stale = open(store, "a", 5);
        assertThat(stale.entries()).isEqualTo(Map.of("a", "1", "b", "1"));
        open(store, "b", 6).commit(Map.of("a", "9", "b", "9"));

        assertThatThrownBy(() -> stale.commit("a", "2")).isInstanceOfSatisfying(StateFenceException.class, e -> {
            assertThat(e.ownEpoch()).isEqualTo(5);
            assertThat(e.foundEpoch()).isEqualTo(6);
        });
        assertThat(store.snapshot()).isEqualTo(Map.of("a", "9", "b", "9"));

        LeaderState again = open(store, "a", 7);
        again.commit("a", "10");
        assertThat(again.entries()).isEqualTo(Map.of("a", "10", "b", "9"));
        assertThat(store.snapshot()).isEqualTo(Map.of("a", "10", "b", "9"));
        assertThatThrownBy(() -> stale.commit("a", "3")).isInstanceOf(StateFenceException.class);
        assertThat(store.snapshot()).isEqualTo(Map.of("a", "10", "b", "9"));
    }

    @Test
    void aStaleLeaderLosesNoUpdateOfItsSuccessorInFiles() {
        assertThatAStaleLeaderLosesNoUpdate(files());
    }

    @Test
    void aStaleLeaderLosesNoUpdateOfItsSuccessorInMemory() {
        assertThatAStaleLeaderLosesNoUpdate(new MemoryStateStore());
    }

    @Test
    void aSuccessorThatHasOnlyOpenedTheStateFencesItsPredecessor() {
        FileStateStore store = files();
        LeaderState stale = open(store, "a", 5);
        store.open(6, "b", LEASE_ID);
        assertThatThrownBy(() -> stale.commit("a", "2")).isInstanceOf(StateFenceException.class);
        assertThat(store.snapshot()).isEmpty();
    }

    @Test
    void aFencedHolderGoesBackToStandbyAndLeadsAgainWithAHigherEpoch() {
        MemoryStateStore states = new MemoryStateStore();
        Contender a = new Contender("a", SETTINGS, new MemoryLeaseStore(), states, clock);
        a.settle();
        LeaderState first = a.lease().state();
        first.commit("position", "1");
        String leaseId = Objects.requireNonNull(a.memory.leaseId());
        states.open(6, "b", leaseId).write(Map.of("position", "2"));

        assertThatThrownBy(() -> first.commit("position", "17")).isInstanceOf(StateFenceException.class);
        assertThat(a.isHeld()).isFalse();
        assertThat(a.calls).containsExactly("acquired 1", "surrendered 1 FENCED");
        assertThat(a.counters.counts().surrendered()).containsEntry(SurrenderReason.FENCED, 1L);
        int writes = a.store.writes;
        a.settle();
        assertThat(a.election.phase()).isEqualTo(LeasePhase.STANDBY);
        assertThat(a.store.writes).isEqualTo(writes);

        a.pass(SETTINGS.ttl());
        assertThat(a.calls).containsExactly("acquired 1", "surrendered 1 FENCED", "acquired 7");
        a.lease().state().commit("other", "3");
        assertThat(states.snapshot()).isEqualTo(Map.of("position", "2", "other", "3"));
        assertThat(a.counters.counts().commits())
                .containsEntry(CommitOutcome.ACKNOWLEDGED, 2L)
                .containsEntry(CommitOutcome.FENCED, 1L);
    }

    @Test
    void theStateOfAnEarlierTermRefusesAlthoughTheSameProcessLeadsAgain() {
        MemoryStateStore states = new MemoryStateStore();
        Contender a = new Contender("a", SETTINGS, new MemoryLeaseStore(), states, clock);
        a.settle();
        LeaderState first = a.lease().state();
        first.commit("position", "1");
        a.election.stepDown();
        a.pass(SETTINGS.ttl());
        assertThat(a.lease().epoch()).isEqualTo(2);
        a.lease().state().commit("position", "2");

        assertThatThrownBy(() -> first.commit("position", "1")).isInstanceOf(NotHolderException.class);
        assertThatThrownBy(() -> first.get("position")).isInstanceOf(NotHolderException.class);
        assertThat(states.snapshot()).isEqualTo(Map.of("position", "2"));
    }

    @Test
    void anInterruptedCommitHarmsNeitherItsFileNorALaterCommit() throws Exception {
        FileStateStore store = files();
        StateSession session = store.open(1, "a", LEASE_ID);
        AtomicBoolean flag = new AtomicBoolean();
        try (Gate gate = new Gate()) {
            LeaderState state = believer("a", 1, new StateSession() {
                @Override
                public Map<String, String> entries() {
                    return session.entries();
                }

                @Override
                public void write(Map<String, String> entries) {
                    gate.pass();
                    session.write(entries);
                }
            });
            FutureTask<Void> commit = new FutureTask<>(
                    () -> {
                        try {
                            state.commit("position", "1");
                        } finally {
                            flag.set(Thread.currentThread().isInterrupted());
                        }
                    },
                    null);
            Thread thread = new Thread(commit);
            thread.start();
            gate.awaitReached();
            thread.interrupt();
            assertThatThrownBy(() -> commit.get(1, TimeUnit.MINUTES)).hasCauseInstanceOf(StateStoreException.class);
            assertThat(flag).isTrue();
            gate.open();
            await().until(() -> state.get("position").isPresent());
            assertThat(store.snapshot()).isEqualTo(Map.of("position", "1"));
            state.commit("position", "2");
            assertThat(store.snapshot()).isEqualTo(Map.of("position", "2"));
        }
    }

    @Test
    void aThreadThatWasInterruptedBeforeItsCommitsHarmsNoFile() throws Exception {
        FileStateStore store = files();
        LeaderState state = open(store, "a", 1);
        FutureTask<List<Throwable>> commits = new FutureTask<>(() -> {
            List<Throwable> failures = new ArrayList<>();
            Thread.currentThread().interrupt();
            for (int i = 0; i < 20; i++) {
                try {
                    state.commit("interrupted", String.valueOf(i));
                } catch (StateStoreException e) {
                    failures.add(e);
                }
            }
            return failures;
        });
        new Thread(commits).start();
        // A commit that is done before it is waited for notices no interrupt.
        assertThat(commits.get(1, TimeUnit.MINUTES)).hasSizeBetween(0, 20);
        state.commit("position", "1");
        assertThat(store.snapshot()).isEqualTo(Map.of("interrupted", "19", "position", "1"));
    }
}
