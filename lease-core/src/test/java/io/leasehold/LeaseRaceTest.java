package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseClock.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One term and many threads at its deadline, in many short rounds. */
class LeaseRaceTest {
    private static final int ROUNDS = 2_000;
    private static final Duration VALID = Duration.ofMillis(9_800);

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    /** One round's term, and what its threads saw of it. */
    private static final class Round {
        final ManualClock clock = new ManualClock();
        final AtomicInteger told = new AtomicInteger();
        final AtomicBoolean seenEnded = new AtomicBoolean();
        final AtomicBoolean revived = new AtomicBoolean();
        final AtomicInteger ends = new AtomicInteger();
        final AtomicInteger drains = new AtomicInteger();
        final Lease lease = new Lease(
                LeaseSettings.builder("orders").ttl(Duration.ofSeconds(10)).build(),
                "host-1",
                7,
                clock.now(),
                clock,
                (term, reason) -> told.incrementAndGet(),
                null);

        /** What was seen to have ended before a look began must not be held at that look. */
        void look() {
            boolean endedBefore = seenEnded.get();
            if (!lease.isHeld()) {
                seenEnded.set(true);
            } else if (endedBefore) {
                revived.set(true);
            }
        }
    }

    /** Clocks that let another thread's action fall between two steps of one look at a term. */
    private static final class InterruptingClock implements LeaseClock {
        private final ManualClock clock = new ManualClock();
        private Runnable meanwhile = () -> {};

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            long now = clock.currentTimeMillis();
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            return now;
        }
    }

    private static Lease term(InterruptingClock clock, List<SurrenderReason> told) {
        return new Lease(
                LeaseSettings.builder("orders").ttl(Duration.ofSeconds(10)).build(),
                "host-1",
                7,
                clock.now(),
                clock,
                (lease, reason) -> told.add(reason),
                null);
    }

    @Test
    void aTermThatEndsWhileItIsBeingConfirmedStaysEnded() {
        InterruptingClock clock = new InterruptingClock();
        List<SurrenderReason> told = new ArrayList<>();
        Lease lease = term(clock, told);
        Moment begun = clock.now();
        clock.meanwhile = () -> lease.end(SurrenderReason.FENCED);
        assertThat(lease.confirm(begun)).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThat(told).containsExactly(SurrenderReason.FENCED);
    }

    @Test
    void aTermThatBeginsToDrainWhileItIsBeingConfirmedGoesOnDraining() {
        InterruptingClock clock = new InterruptingClock();
        List<SurrenderReason> told = new ArrayList<>();
        Lease lease = term(clock, told);
        clock.clock.advance(Duration.ofSeconds(1));
        Moment begun = clock.now();
        clock.meanwhile = () -> lease.drain(SurrenderReason.STEPPED_DOWN);
        assertThat(lease.confirm(begun)).isTrue();
        assertThat(lease.isDraining()).isTrue();
        assertThat(lease.lastConfirmed()).isEqualTo(begun);
        assertThat(told).containsExactly(SurrenderReason.STEPPED_DOWN);
    }

    @Test
    void ofTwoThatEndATermAtOnceTheFirstTellsWhy() {
        InterruptingClock clock = new InterruptingClock();
        List<SurrenderReason> told = new ArrayList<>();
        Lease lease = term(clock, told);
        clock.meanwhile = () -> lease.end(SurrenderReason.FENCED);
        assertThat(lease.end(SurrenderReason.SUPERSEDED)).isFalse();
        assertThat(lease.reason()).isEqualTo(SurrenderReason.FENCED);
        assertThat(told).containsExactly(SurrenderReason.FENCED);
    }

    @Test
    void aConfirmationThatComesWhileAnotherFindsTheOldDeadlinePassedIsRespected() {
        InterruptingClock clock = new InterruptingClock();
        List<SurrenderReason> told = new ArrayList<>();
        Lease lease = term(clock, told);
        clock.clock.advance(VALID.minusMillis(1));
        Moment begun = clock.now();
        clock.clock.advanceMonotonic(Duration.ofMillis(1));
        clock.meanwhile = () -> {
            clock.clock.advanceMonotonic(Duration.ofMillis(-1));
            assertThat(lease.confirm(begun)).isTrue();
        };
        assertThat(lease.isHeld()).isTrue();
        assertThat(told).isEmpty();
    }

    private void race(int rounds, List<Consumer<Round>> parts, Consumer<Round> check)
            throws InterruptedException, ExecutionException, TimeoutException {
        CyclicBarrier start = new CyclicBarrier(parts.size());
        for (int i = 0; i < rounds; i++) {
            Round round = new Round();
            List<Callable<Void>> calls = new ArrayList<>();
            for (Consumer<Round> part : parts) {
                calls.add(() -> run(part, round, start));
            }
            for (Future<Void> done : threads.invokeAll(calls)) {
                done.get(1, TimeUnit.MINUTES);
            }
            check.accept(round);
        }
    }

    private static Void run(Consumer<Round> part, Round round, CyclicBarrier start)
            throws InterruptedException, BrokenBarrierException {
        start.await();
        part.accept(round);
        return null;
    }

    @Test
    void theSurrenderIsToldOnceHoweverManyThreadsFindTheDeadlinePassed() throws Exception {
        Consumer<Round> look = Round::look;
        Consumer<Round> pass = round -> round.clock.advance(VALID);
        race(ROUNDS, List.of(pass, look, look, look, look), round -> {
            assertThat(round.lease.isHeld()).isFalse();
            assertThat(round.told).hasValue(1);
            assertThat(round.revived).isFalse();
        });
    }

    @Test
    void aTermThatAnyThreadSawEndedIsNeverHeldAgain() throws Exception {
        Consumer<Round> look = round -> {
            for (int i = 0; i < 20; i++) {
                round.look();
            }
        };
        Consumer<Round> confirm = round -> {
            for (int i = 0; i < 20; i++) {
                Moment begun = round.clock.now();
                boolean endedBefore = round.seenEnded.get();
                if (round.lease.confirm(begun) && endedBefore) {
                    round.revived.set(true);
                }
            }
        };
        Consumer<Round> pass = round -> {
            round.clock.advance(VALID);
            round.clock.advance(VALID.negated());
            round.clock.advance(VALID);
        };
        race(ROUNDS, List.of(look, look, confirm, pass), round -> {
            assertThat(round.revived).isFalse();
            round.clock.advance(VALID);
            assertThat(round.lease.isHeld()).isFalse();
            assertThat(round.told).hasValue(1);
        });
    }

    @Test
    void oneThreadDrainsAndOneEndsATermThatManyTryTo() throws Exception {
        Consumer<Round> drain = round -> {
            if (round.lease.drain(SurrenderReason.STEPPED_DOWN)) {
                round.drains.incrementAndGet();
            }
        };
        Consumer<Round> end = round -> {
            if (round.lease.end(SurrenderReason.FENCED)) {
                round.ends.incrementAndGet();
            }
            round.look();
        };
        Consumer<Round> confirm = round -> round.lease.confirm(round.clock.now());
        race(ROUNDS, List.of(drain, drain, end, end, confirm), round -> {
            assertThat(round.ends).hasValue(1);
            assertThat(round.drains).hasValueLessThanOrEqualTo(1);
            assertThat(round.told).hasValue(1);
            assertThat(round.revived).isFalse();
            assertThat(round.lease.reason())
                    .isEqualTo(round.drains.get() == 1 ? SurrenderReason.STEPPED_DOWN : SurrenderReason.FENCED);
        });
    }
}
