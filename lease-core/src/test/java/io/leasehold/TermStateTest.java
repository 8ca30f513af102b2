package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TermStateTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration VALID = Duration.ofMillis(9_800);

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final ManualClock clock = new ManualClock();
    private final LeaseCounters counters = new LeaseCounters();
    private final List<StateFenceException> fences = new CopyOnWriteArrayList<>();
    private final RecordedSession session = new RecordedSession();
    private final Lease lease = new Lease(
            LeaseSettings.builder("orders").ttl(TTL).build(),
            "host-1",
            5,
            clock.now(),
            clock,
            (term, reason) -> {},
            of -> new TermState(of, session, counters, new Observers(), pool, fences::add));
    private final LeaderState state = lease.state();

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    /** Records what is written; what happens before a write is up to the test. */
    private static final class RecordedSession implements StateSession {
        final List<Map<String, String>> writes = new CopyOnWriteArrayList<>();
        volatile Runnable beforeWrite = () -> {};

        @Override
        public Map<String, String> entries() {
            return Map.of("seed", "1");
        }

        @Override
        public void write(Map<String, String> entries) {
            beforeWrite.run();
            writes.add(Map.copyOf(entries));
        }
    }

    private static FutureTask<Void> begin(Runnable commit) {
        FutureTask<Void> task = new FutureTask<>(commit, null);
        new Thread(task, "committer").start();
        return task;
    }

    /** Leaves so little of the term that a commit looks at the clock again and again. */
    private void nearlyExpire() {
        clock.advance(VALID.minusMillis(20));
    }

    private static Throwable failureOf(Future<Void> commit) throws Exception {
        try {
            commit.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
        throw new AssertionError("The commit succeeded");
    }

    private void failWrites(RuntimeException failure) {
        session.beforeWrite = () -> {
            throw failure;
        };
    }

    private long commits(CommitOutcome outcome) {
        return counters.counts().commits().getOrDefault(outcome, -1L);
    }

    @Test
    void aTermBeginsWithTheStateThatWasThere() {
        assertThat(state.entries()).isEqualTo(Map.of("seed", "1"));
        assertThat(state.get("seed")).contains("1");
        assertThat(state.get("other")).isEmpty();
        assertThat(state.epoch()).isEqualTo(5);
    }

    @Test
    void commitsThatWaitForOneWriteShareTheNext() throws Exception {
        try (Gate gate = new Gate()) {
            session.beforeWrite = gate::pass;
            FutureTask<Void> first = begin(() -> state.commit("first", "1"));
            gate.awaitReached();
            List<Thread> threads = new ArrayList<>();
            List<Throwable> failures = new CopyOnWriteArrayList<>();
            for (int i = 0; i < 100; i++) {
                String key = "key-" + i;
                Thread thread = new Thread(() -> state.commit(key, "1"), key);
                thread.setUncaughtExceptionHandler((failed, failure) -> failures.add(failure));
                thread.start();
                threads.add(thread);
            }
            await().until(() -> threads.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
            gate.open();
            first.get(1, TimeUnit.MINUTES);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }
        assertThat(session.writes).hasSize(2);
        assertThat(session.writes.get(1)).hasSize(102).containsEntry("key-99", "1");
        assertThat(state.entries()).isEqualTo(session.writes.get(1));
        assertThat(commits(CommitOutcome.ACKNOWLEDGED)).isEqualTo(101);
    }

    @Test
    void laterCommitsOfOneKeyWinWithinASharedWrite() throws Exception {
        try (Gate gate = new Gate()) {
            session.beforeWrite = gate::pass;
            FutureTask<Void> first = begin(() -> state.commit("position", "1"));
            gate.awaitReached();
            List<FutureTask<Void>> commits = new ArrayList<>(List.of(first));
            for (int i = 2; i <= 4; i++) {
                String value = String.valueOf(i);
                FutureTask<Void> commit = new FutureTask<>(() -> state.commit("position", value), null);
                Thread thread = new Thread(commit);
                thread.start();
                await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
                commits.add(commit);
            }
            gate.open();
            for (FutureTask<Void> commit : commits) {
                commit.get(1, TimeUnit.MINUTES);
            }
        }
        assertThat(state.get("position")).contains("4");
        assertThat(session.writes).hasSize(2);
    }

    @Test
    void severalEntriesAndRemovalsAreOneWrite() {
        state.commit(Map.of("a", "1", "b", "2"));
        assertThat(session.writes).containsExactly(Map.of("seed", "1", "a", "1", "b", "2"));
        state.commit(Map.of("a", "3", "c", "4"), Set.of("b", "seed", "never there"));
        assertThat(session.writes).hasSize(2);
        assertThat(state.entries()).isEqualTo(Map.of("a", "3", "c", "4"));
        state.remove("a");
        assertThat(state.get("a")).isEmpty();
        assertThat(session.writes).endsWith(Map.of("c", "4"));
    }

    @Test
    void entriesShownAreASnapshotThatCannotBeChanged() {
        Map<String, String> before = state.entries();
        state.commit("a", "1");
        assertThat(before).isEqualTo(Map.of("seed", "1"));
        assertThatThrownBy(() -> state.entries().put("b", "2")).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void anEntryThatIsSetAndRemovedInOneCommitIsRefused() {
        assertThatThrownBy(() -> state.commit(Map.of("a", "1"), Set.of("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("set and removed");
        assertThat(session.writes).isEmpty();
    }

    @Test
    void textWithoutAFormInUtf8IsRefusedAndNothingIsWritten() {
        for (String text : List.of("\ud800", "a\udc00b", "\udc00\ud800")) {
            assertThatThrownBy(() -> state.commit(text, "1")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.commit("a", text)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> state.commit(Map.of("fine", "1", "a", text)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(session.writes).isEmpty();
        assertThat(state.entries()).isEqualTo(Map.of("seed", "1"));
    }

    @Test
    void anyOtherTextIsAKeyAndAValue() {
        for (String text : List.of("", " ", "../../up", "a\u0000b", "\n", "\ud83d\ude00", "x".repeat(10_000))) {
            state.commit(text, text);
            assertThat(state.get(text)).contains(text);
        }
    }

    @Test
    void afterTheTermsEndEverythingIsRefusedAndNothingIsWritten() {
        lease.end(SurrenderReason.SUPERSEDED);
        assertThatThrownBy(() -> state.commit("a", "1"))
                .isInstanceOf(NotHolderException.class)
                .hasMessageContaining("epoch 5")
                .hasMessageContaining("its term is over");
        assertThatThrownBy(() -> state.remove("seed")).isInstanceOf(NotHolderException.class);
        assertThatThrownBy(state::entries).isInstanceOf(NotHolderException.class);
        assertThatThrownBy(() -> state.get("seed")).isInstanceOf(NotHolderException.class);
        assertThat(session.writes).isEmpty();
    }

    @Test
    void afterTheDeadlineEverythingIsRefusedAlsoWhenNobodyLooked() {
        clock.advance(VALID);
        assertThatThrownBy(() -> state.commit("a", "1")).isInstanceOf(NotHolderException.class);
        assertThat(session.writes).isEmpty();
    }

    @Test
    void whileDrainingCommitsAreAcknowledged() {
        lease.drain(SurrenderReason.STEPPED_DOWN);
        state.commit("a", "1");
        assertThat(state.get("a")).contains("1");
    }

    @Test
    void aFencedCommitIsToldWithBothEpochs() {
        failWrites(new StateFenceException("memory", 5, 6));
        assertThatThrownBy(() -> state.commit("a", "1"))
                .isInstanceOfSatisfying(StateFenceException.class, e -> {
                    assertThat(e.ownEpoch()).isEqualTo(5);
                    assertThat(e.foundEpoch()).isEqualTo(6);
                })
                .hasMessageContaining("outcome is unknown");
        assertThat(fences).hasSize(1);
        assertThat(commits(CommitOutcome.FENCED)).isEqualTo(1);
        assertThat(state.entries()).isEqualTo(Map.of("seed", "1"));
    }

    @Test
    void aFailedWriteIsUnknownAndTheNextCommitWritesTheWholeState() {
        state.commit("a", "1");
        failWrites(new StateStoreException("the disk is full"));
        assertThatThrownBy(() -> state.commit("a", "2"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("unknown")
                .hasMessageContaining("the disk is full");
        assertThat(state.get("a")).contains("1");
        assertThat(commits(CommitOutcome.UNKNOWN)).isEqualTo(1);
        session.beforeWrite = () -> {};
        state.commit("b", "1");
        assertThat(session.writes).endsWith(Map.of("seed", "1", "a", "1", "b", "1"));
        assertThat(state.entries()).isEqualTo(Map.of("seed", "1", "a", "1", "b", "1"));
    }

    @Test
    void anyFailureOfTheStoreIsAnUnknownOutcomeAndEndsNoLaterCommit() {
        failWrites(new UnsupportedOperationException("a fault of the store"));
        assertThatThrownBy(() -> state.commit("a", "1")).isInstanceOf(StateStoreException.class);
        session.beforeWrite = () -> {
            throw new AssertionError("an error of the store");
        };
        assertThatThrownBy(() -> state.commit("a", "1"))
                .isInstanceOf(StateStoreException.class)
                .hasCauseInstanceOf(AssertionError.class);
        session.beforeWrite = () -> {};
        state.commit("a", "1");
        assertThat(state.get("a")).contains("1");
    }

    @Test
    void aCommitWhoseWriteHangsIsUnknownSoonAfterTheDeadlineAndOneBehindItIsWithdrawn() throws Exception {
        nearlyExpire();
        try (Gate gate = new Gate()) {
            session.beforeWrite = gate::pass;
            FutureTask<Void> hung = begin(() -> state.commit("a", "1"));
            gate.awaitReached();
            FutureTask<Void> behind = new FutureTask<>(() -> state.commit("b", "1"), null);
            Thread waiting = new Thread(behind);
            waiting.start();
            await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            assertThat(hung.isDone() || behind.isDone()).isFalse();

            clock.advance(Duration.ofMillis(20));
            assertThat(failureOf(behind)).isInstanceOf(NotHolderException.class);
            assertThat(failureOf(hung))
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("the outcome is unknown");
            assertThat(gate.isOpen()).isFalse();
        }
        await().until(() -> session.writes.size() == 1);
        assertThat(session.writes).containsExactly(Map.of("seed", "1", "a", "1"));
    }

    @Test
    void aCommitThatWakesUpAfterItsTermStillMeetsTheFence() throws Exception {
        LeaseSettings patient =
                LeaseSettings.builder("orders").ttl(Duration.ofMinutes(10)).build();
        Lease frozen = new Lease(
                patient,
                "host-1",
                5,
                clock.now(),
                clock,
                (term, reason) -> {},
                of -> new TermState(of, session, counters, new Observers(), pool, fences::add));
        clock.advance(patient.ttl().minus(patient.margin()).minusMillis(20));
        try (Gate gate = new Gate()) {
            session.beforeWrite = () -> {
                gate.pass();
                throw new StateFenceException("a directory", 5, 6);
            };
            FutureTask<Void> commit = begin(() -> frozen.state().commit("a", "1"));
            gate.awaitReached();
            clock.advance(Duration.ofMillis(20));
            assertThat(frozen.isHeld()).isFalse();
            await().pollDelay(Duration.ofMillis(200)).until(() -> !commit.isDone());
            gate.open();
            assertThat(failureOf(commit)).isInstanceOf(StateFenceException.class);
        }
    }

    @Test
    void aCommitStillQueuedWhenTheTermEndsIsNotWritten() throws Exception {
        try (Gate gate = new Gate()) {
            session.beforeWrite = gate::pass;
            FutureTask<Void> first = begin(() -> state.commit("a", "1"));
            gate.awaitReached();
            FutureTask<Void> behind = new FutureTask<>(() -> state.commit("b", "1"), null);
            Thread waiting = new Thread(behind);
            waiting.start();
            await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            lease.end(SurrenderReason.SUPERSEDED);
            gate.open();
            first.get(1, TimeUnit.MINUTES);
            assertThat(failureOf(behind)).isInstanceOf(NotHolderException.class);
        }
        assertThat(session.writes).containsExactly(Map.of("seed", "1", "a", "1"));
    }

    @Test
    void anInterruptedCommitIsUnknownKeepsTheFlagAndHarmsNoWrite() throws Exception {
        AtomicBoolean flag = new AtomicBoolean();
        try (Gate gate = new Gate()) {
            session.beforeWrite = gate::pass;
            FutureTask<Void> commit = new FutureTask<>(
                    () -> {
                        try {
                            state.commit("a", "1");
                        } finally {
                            flag.set(Thread.currentThread().isInterrupted());
                        }
                    },
                    null);
            Thread thread = new Thread(commit);
            thread.start();
            gate.awaitReached();
            thread.interrupt();
            assertThat(failureOf(commit))
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("interrupted while committing; the outcome is unknown");
            assertThat(flag).isTrue();
        }
        await().until(() -> state.get("a").isPresent());
        state.commit("b", "1");
        assertThat(session.writes).endsWith(Map.of("seed", "1", "a", "1", "b", "1"));
    }

    @Test
    void manyConcurrentCommitsAreAllInTheStateInTheEnd() throws Exception {
        List<Future<Void>> commits = new ArrayList<>();
        IntStream.range(0, 20)
                .forEach(thread -> commits.add(begin(() -> {
                    for (int i = 0; i < 50; i++) {
                        state.commit(thread + "-" + i, "1");
                    }
                })));
        for (Future<Void> commit : commits) {
            commit.get(1, TimeUnit.MINUTES);
        }
        assertThat(state.entries()).hasSize(1 + 20 * 50).isEqualTo(session.writes.get(session.writes.size() - 1));
    }
}
