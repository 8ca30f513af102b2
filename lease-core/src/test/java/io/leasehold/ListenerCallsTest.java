package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.store.LeaseRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ListenerCallsTest {
    private static final LeaseSettings SETTINGS = LeaseSettings.builder("orders")
            .ttl(Duration.ofSeconds(10))
            .drainTimeout(Duration.ofSeconds(3))
            .build();

    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final Queue<Runnable> deferred = new ArrayDeque<>();
    private final ManualClock clock = new ManualClock();
    private final MemoryLeaseStore memory = new MemoryLeaseStore();
    private final FaultyLeaseStore store = new FaultyLeaseStore(memory);
    private final ListenerCalls listeners = new ListenerCalls();
    private final LeaseCounters counters = new LeaseCounters();

    @AfterEach
    void stop() {
        pool.shutdownNow();
    }

    private CallRecorder listen() {
        CallRecorder recorder = new CallRecorder();
        listeners.add(recorder);
        return recorder;
    }

    private Lease term(long epoch, Executor workers) {
        return new Lease(
                SETTINGS,
                "host-1",
                epoch,
                clock.now(),
                clock,
                (lease, reason) -> listeners.surrendered(lease, reason, workers, () -> {}),
                null);
    }

    private void begin(Lease lease, Executor workers) {
        listeners.acquired(new TermStart(lease, Observers.UNOBSERVED, () -> {}), workers);
    }

    private LeaseElection election(Executor workers) {
        LeaseContext context = new LeaseContext(
                SETTINGS,
                "host-1",
                store,
                null,
                clock,
                new LeaseMemory(SETTINGS.ttl()),
                counters,
                listeners,
                new Observers(),
                workers);
        return new LeaseElection(context, () -> {});
    }

    private void runDeferred() {
        for (Runnable task = deferred.poll(); task != null; task = deferred.poll()) {
            task.run();
        }
    }

    private boolean isReleased() {
        LeaseRecord record = memory.read().record();
        return record != null && record.released();
    }

    /** A listener that takes its time, and that notices when it is called while it is being called. */
    private static final class Slow implements LeaseListener {
        final List<String> calls = new CopyOnWriteArrayList<>();
        final Semaphore entered = new Semaphore(0);
        final Semaphore mayReturn = new Semaphore(0);
        final AtomicInteger inside = new AtomicInteger();

        @Override
        public void onAcquired(Lease lease) {
            call("acquired " + lease.epoch());
        }

        @Override
        public void onSurrendered(Lease lease, SurrenderReason reason) {
            call("surrendered " + lease.epoch());
        }

        private void call(String what) {
            calls.add(inside.incrementAndGet() == 1 ? what : what + " while being called");
            entered.release();
            mayReturn.acquireUninterruptibly();
            inside.decrementAndGet();
        }
    }

    @Test
    void fiftyTermsAreToldToSlowListenersInStrictPairsOneCallAtATime() {
        List<Slow> slow = List.of(new Slow(), new Slow(), new Slow());
        slow.forEach(listeners::add);
        List<String> expected = new ArrayList<>();
        for (long epoch = 1; epoch <= 50; epoch++) {
            expected.addAll(List.of("acquired " + epoch, "surrendered " + epoch));
            Lease lease = term(epoch, pool);
            begin(lease, pool);
            slow.forEach(listener -> listener.entered.acquireUninterruptibly());
            lease.end(SurrenderReason.SUPERSEDED);
            slow.forEach(listener -> listener.mayReturn.release());
            slow.forEach(listener -> listener.entered.acquireUninterruptibly());
            assertThat(listeners.haveStopped()).isFalse();
            slow.forEach(listener -> listener.mayReturn.release());
        }
        await().until(listeners::areIdle);
        assertThat(slow).allSatisfy(listener -> assertThat(listener.calls).isEqualTo(expected));
        assertThat(listeners.haveStopped()).isTrue();
    }

    @Test
    void aListenerThatIsBehindIsToldOfNoTermThatIsOver() {
        Slow slow = new Slow();
        listeners.add(slow);
        for (long epoch = 1; epoch <= 50; epoch++) {
            Lease lease = term(epoch, pool);
            begin(lease, pool);
            if (epoch == 1) {
                slow.entered.acquireUninterruptibly();
            }
            lease.end(SurrenderReason.SUPERSEDED);
        }
        Lease last = term(51, pool);
        begin(last, pool);
        slow.mayReturn.release(3);
        await().until(listeners::areIdle);
        assertThat(slow.calls).containsExactly("acquired 1", "surrendered 1", "acquired 51");
    }

    @Test
    void aListenerThatThrowsOnAcquireMakesTheProcessSurrenderReleaseAndRest() {
        CallRecorder throwing = listen();
        List<CallRecorder> others = List.of(listen(), listen());
        throwing.onAcquired = () -> {
            await().until(() -> others.stream().noneMatch(other -> other.calls.isEmpty()));
            throw new IllegalStateException("the queue is missing");
        };
        LeaseElection election = election(pool);
        election.step();
        await().until(listeners::haveStopped);
        String surrendered = "surrendered 1 LISTENER_FAILED";
        assertThat(throwing.calls).containsExactly("acquired 1", surrendered);
        assertThat(others).allSatisfy(other -> assertThat(other.calls).containsExactly("acquired 1", surrendered));

        election.step();
        assertThat(isReleased()).isTrue();
        assertThat(election.phase()).isEqualTo(LeasePhase.STANDBY);
        clock.advance(SETTINGS.ttl().minusMillis(1));
        election.step();
        assertThat(election.lease()).isNull();
        clock.advance(Duration.ofMillis(1));
        election.step();
        assertThat(Objects.requireNonNull(election.lease()).epoch()).isEqualTo(2);
    }

    static List<Throwable> failures() {
        return List.of(new AssertionError("an error"), new Exception("a checked exception"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void anErrorOrACheckedExceptionFromAListenerIsAFailureToo(Throwable failure) {
        CallRecorder throwing = listen();
        throwing.onAcquired = () -> sneak(failure);
        Lease lease = term(1, Runnable::run);
        begin(lease, Runnable::run);
        assertThat(lease.reason()).isEqualTo(SurrenderReason.LISTENER_FAILED);
        assertThat(throwing.calls).containsExactly("acquired 1", "surrendered 1 LISTENER_FAILED");
        assertThat(listeners.haveStopped()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void anErrorOrACheckedExceptionOnSurrenderEndsNoLaterCall(Throwable failure) {
        CallRecorder throwing = listen();
        throwing.onSurrendered = () -> sneak(failure);
        Lease lease = term(1, Runnable::run);
        begin(lease, Runnable::run);
        lease.end(SurrenderReason.FENCED);
        assertThat(listeners.areIdle()).isTrue();
        assertThat(listeners.haveStopped()).isFalse();
        begin(term(2, Runnable::run), Runnable::run);
        assertThat(throwing.calls).containsExactly("acquired 1", "surrendered 1 FENCED", "acquired 2");
    }

    /** Languages other than Java let a listener throw a checked exception. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> void sneak(Throwable failure) throws E {
        throw (E) failure;
    }

    @Test
    void aListenerThatHangsKeepsNoOtherFromBeingToldAndThisProcessFromContending() {
        CallRecorder hanging = listen();
        CallRecorder other = listen();
        try (Gate gate = new Gate()) {
            hanging.onSurrendered = gate::pass;
            LeaseElection election = election(pool);
            election.step();
            await().until(() -> !hanging.calls.isEmpty() && !other.calls.isEmpty());
            election.stepDown();
            gate.awaitReached();
            await().until(() -> other.calls.contains("surrendered 1 STEPPED_DOWN"));

            clock.advance(SETTINGS.ttl());
            election.step();
            assertThat(election.phase()).isEqualTo(LeasePhase.STANDBY);
            assertThat(isReleased()).isFalse();
            int reads = store.reads;
            for (int i = 0; i < 10; i++) {
                clock.advance(SETTINGS.ttl());
                assertThat(election.step()).isEqualTo(SETTINGS.renewInterval().toNanos());
            }
            assertThat(store.reads).isEqualTo(reads);

            gate.open();
            await().until(listeners::areIdle);
            election.step();
            clock.advance(SETTINGS.ttl());
            election.step();
            assertThat(Objects.requireNonNull(election.lease()).epoch()).isEqualTo(2);
        }
    }

    @Test
    void aTermThatEndsBeforeAListenerCouldBeToldIsNotTold() {
        CallRecorder recorder = listen();
        for (SurrenderReason reason : List.of(SurrenderReason.SUPERSEDED, SurrenderReason.STEPPED_DOWN)) {
            Lease lease = term(1, deferred::add);
            begin(lease, deferred::add);
            assertThat(listeners.haveStopped()).isFalse();
            assertThat(reason == SurrenderReason.SUPERSEDED ? lease.end(reason) : lease.drain(reason))
                    .isTrue();
            runDeferred();
        }
        assertThat(recorder.calls).isEmpty();
        assertThat(listeners.haveStopped()).isTrue();
    }

    @Test
    void aTermWhoseDeadlineHasPassedUnnoticedIsNotToldEither() {
        CallRecorder recorder = listen();
        Lease lease = term(1, deferred::add);
        begin(lease, deferred::add);
        clock.advance(SETTINGS.ttl());
        runDeferred();
        assertThat(recorder.calls).isEmpty();
        assertThat(lease.reason()).isEqualTo(SurrenderReason.EXPIRED);
        assertThat(listeners.haveStopped()).isTrue();
    }

    @Test
    void workThatWasNotConfirmedToHaveStoppedIsNotReleased() {
        CallRecorder throwing = listen();
        throwing.onSurrendered = () -> {
            throw new IllegalStateException("a thread does not stop");
        };
        LeaseElection election = election(Runnable::run);
        election.step();
        election.stepDown();
        election.step();
        assertThat(listeners.areIdle()).isTrue();
        assertThat(election.phase()).isEqualTo(LeasePhase.DRAINING);
        clock.advance(SETTINGS.ttl());
        election.step();
        assertThat(election.phase()).isEqualTo(LeasePhase.STANDBY);
        assertThat(isReleased()).isFalse();
    }

    @Test
    void aListenerIsNeverToldOfTheEndOfATermThatItWasNotToldOf() {
        CallRecorder throwing = listen();
        throwing.onSurrendered = () -> {
            throw new IllegalStateException("a thread does not stop");
        };
        Lease first = term(1, Runnable::run);
        begin(first, Runnable::run);
        first.end(SurrenderReason.SUPERSEDED);
        Lease second = term(2, Runnable::run);
        second.drain(SurrenderReason.CLOSED);
        assertThat(throwing.calls).containsExactly("acquired 1", "surrendered 1 SUPERSEDED");
        assertThat(listeners.haveStopped()).isFalse();
    }

    @Test
    void aListenerThatThrewOnceIsCalledAgainInTheNextTerm() {
        CallRecorder throwing = listen();
        throwing.onSurrendered = () -> {
            throw new IllegalStateException("a thread does not stop");
        };
        Lease first = term(1, Runnable::run);
        begin(first, Runnable::run);
        first.end(SurrenderReason.SUPERSEDED);
        throwing.onSurrendered = () -> {};
        Lease second = term(2, Runnable::run);
        begin(second, Runnable::run);
        second.end(SurrenderReason.FENCED);
        assertThat(throwing.calls)
                .containsExactly("acquired 1", "surrendered 1 SUPERSEDED", "acquired 2", "surrendered 2 FENCED");
        assertThat(listeners.haveStopped()).isTrue();
    }

    @Test
    void aThreadIsCallingOnlyWhileItIsInsideAListener() {
        List<Boolean> inside = new CopyOnWriteArrayList<>();
        CallRecorder recorder = listen();
        recorder.onAcquired = () -> inside.add(listeners.isCalling());
        recorder.onSurrendered = () -> inside.add(listeners.isCalling());
        Lease lease = term(1, Runnable::run);
        begin(lease, Runnable::run);
        assertThat(listeners.isCalling()).isFalse();
        lease.end(SurrenderReason.FENCED);
        assertThat(inside).containsExactly(true, true);
        assertThat(listeners.isCalling()).isFalse();
    }
}
