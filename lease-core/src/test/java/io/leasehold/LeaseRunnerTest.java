package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LeaseRunnerTest {
    private static final Duration LONG = Duration.ofMinutes(30);

    private final MemoryLeaseStore memory = new MemoryLeaseStore();
    private final HookedLeaseStore store = new HookedLeaseStore(memory);

    private LeaseRunner runner(Duration ttl) {
        LeaseSettings settings = LeaseSettings.builder("orders").ttl(ttl).build();
        LeaseContext context = new LeaseContext(
                settings,
                "host-1",
                store,
                null,
                LeaseClock.SYSTEM,
                new LeaseMemory(ttl),
                new LeaseCounters(),
                new ListenerCalls(),
                new Observers(),
                LeaseThreads.SHARED::execute);
        return new LeaseRunner(context, LeaseThreads.SHARED);
    }

    private static boolean isHeld(LeaseRunner runner) {
        Lease lease = runner.election().lease();
        return lease != null && lease.isHeld();
    }

    private static boolean close(LeaseRunner runner) {
        runner.election().close();
        return runner.awaitFinish();
    }

    @Test
    void anElectionHasFinishedOnlyWhenItsWatchIsClosed() {
        List<Boolean> finishedBefore = new ArrayList<>();
        AtomicReference<LeaseRunner> started = new AtomicReference<>();
        store.onWatchClose =
                () -> finishedBefore.add(Objects.requireNonNull(started.get()).awaitFinish());
        LeaseRunner runner = runner(Duration.ofSeconds(1));
        started.set(runner);
        runner.wake();
        await().until(() -> isHeld(runner));
        runner.election().close();
        await().until(runner::awaitFinish);
        assertThat(finishedBefore).containsExactly(false);
    }

    @Test
    void aWatchThatFailsIsTriedAgain() {
        AtomicInteger attempts = new AtomicInteger();
        store.beforeWatch = () -> {
            if (attempts.incrementAndGet() <= 2) {
                throw new IllegalStateException("the store cannot be reached");
            }
        };
        LeaseRunner runner = runner(Duration.ofSeconds(1));
        runner.wake();
        await().atMost(Duration.ofSeconds(30)).until(() -> attempts.get() == 3);
        await().until(() -> isHeld(runner));
        assertThat(close(runner)).isTrue();
        assertThat(attempts).hasValue(3);
    }

    @Test
    void aWatchThatHangsDelaysNoStepAndIsClosedWhenItComes() throws Exception {
        LeaseRunner runner = runner(Duration.ofSeconds(1));
        try (Gate gate = new Gate()) {
            store.beforeWatch = gate::pass;
            runner.wake();
            gate.awaitReached();
            await().until(() -> isHeld(runner));
            runner.election().close();
            await().until(() -> Objects.requireNonNull(memory.read().record()).released());
            assertThat(runner.awaitFinish()).as("while a watch may still begin").isFalse();
        }
        await().until(runner::awaitFinish);
        assertThat(store.watched).isFalse();
    }

    @Test
    void whatChangesWhileAWatchBeginsIsNoticed() throws Exception {
        LeaseRecord others = new LeaseRecord("other", "claim", 1, 0, LONG, Instant.MAX, false);
        memory.replace(memory.read(), others);
        AtomicInteger reads = new AtomicInteger();
        store.afterRead = reads::incrementAndGet;
        LeaseRunner runner = runner(LONG);
        try (Gate gate = new Gate()) {
            store.beforeWatch = gate::pass;
            runner.wake();
            gate.awaitReached();
            await().until(() -> reads.get() > 0);
            memory.replace(memory.read(), others.released(1));
        }
        await().until(() -> isHeld(runner));
        assertThat(close(runner)).isTrue();
    }

    @Test
    void anErrorOutOfAStepDoesNotEndTheElection() {
        AtomicInteger reads = new AtomicInteger();
        store.beforeRead = () -> {
            if (reads.incrementAndGet() <= 2) {
                throw new AssertionError("a fault of the store");
            }
        };
        LeaseRunner runner = runner(Duration.ofSeconds(30));
        runner.wake();
        await().until(() -> isHeld(runner));
        assertThat(reads).hasValueGreaterThanOrEqualTo(3);
        assertThat(close(runner)).isTrue();
    }

    @Test
    void anErrorOutOfARenewDoesNotEndTheElection() {
        LeaseRunner runner = runner(Duration.ofSeconds(3));
        runner.wake();
        await().until(() -> isHeld(runner));
        AtomicInteger writes = new AtomicInteger();
        store.beforeWrite = () -> {
            if (writes.incrementAndGet() == 1) {
                throw new AssertionError("a fault of the store");
            }
        };
        await().until(() -> writes.get() >= 3);
        assertThat(isHeld(runner)).isTrue();
        assertThat(close(runner)).isTrue();
    }

    @Test
    void aWakeDuringAStepIsNotLost() throws Exception {
        LeaseRecord others = new LeaseRecord("other", "claim", 1, 0, LONG, Instant.MAX, false);
        memory.replace(memory.read(), others);
        LeaseRunner runner = runner(LONG);
        try (Gate gate = new Gate()) {
            store.afterRead = gate::pass;
            runner.wake();
            gate.awaitReached();
            LeaseSnapshot seen = memory.read();
            memory.replace(seen, others.released(1));
            runner.wake();
        }
        await().until(() -> isHeld(runner));
        assertThat(close(runner)).isTrue();
    }

    @Test
    void stepsAreTakenOneAtATime() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger reads = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        memory.replace(memory.read(), new LeaseRecord("other", "claim", 1, 0, LONG, Instant.MAX, false));
        LeaseRunner runner = runner(LONG);
        store.beforeRead = () -> {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            runner.wake();
            reads.incrementAndGet();
        };
        store.afterRead = inside::decrementAndGet;
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            runner.wake();
            return reads.get() > 200;
        });
        store.beforeRead = inside::incrementAndGet;
        assertThat(overlaps).hasValue(0);
        assertThat(close(runner)).isTrue();
    }

    @Test
    void theWatchLastsAsLongAsTheElection() {
        LeaseRunner runner = runner(LONG);
        runner.wake();
        await().until(() -> isHeld(runner));
        assertThat(store.watched).isTrue();
        assertThat(close(runner)).isTrue();
        await().until(() -> !store.watched);
    }

    @Test
    void aWakeAfterTheCloseDoesNothing() {
        LeaseRunner runner = runner(LONG);
        runner.wake();
        await().until(() -> isHeld(runner));
        assertThat(close(runner)).isTrue();
        AtomicInteger reads = new AtomicInteger();
        store.beforeRead = reads::incrementAndGet;
        runner.wake();
        assertThat(runner.awaitFinish()).isTrue();
        assertThat(reads).hasValue(0);
        assertThat(runner.election().phase()).isEqualTo(LeasePhase.CLOSED);
    }
}
