package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LeaseCounts.HandOvers;
import io.leasehold.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** How long a hand-over is said to have taken, and when nothing can be said. */
class HandOverTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RENEW = Duration.ofSeconds(2);
    private static final HandOvers NONE = new HandOvers(0, Duration.ZERO);

    private final ManualClock clock = new ManualClock();
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final Queue<Runnable> deferred = new ArrayDeque<>();
    private final Contender first = contender("first", Runnable::run);
    private final Contender standby = contender("standby", deferred::add);

    private Contender contender(String id, Executor workers) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(TTL)
                .renewInterval(RENEW)
                .drainTimeout(Duration.ofSeconds(3))
                .build();
        return new Contender(id, settings, store, null, clock, workers);
    }

    private void deliver() {
        for (Runnable call = deferred.poll(); call != null; call = deferred.poll()) {
            call.run();
        }
    }

    /** The first leads, and the standby has seen it renew. */
    private void watchARenew() {
        first.settle();
        standby.settle();
        clock.advance(RENEW);
        first.settle();
        standby.settle();
    }

    @Test
    void aHandOverLastsFromTheLastChangeUntilTheListenersHaveBegun() {
        watchARenew();
        standby.pass(TTL);
        clock.advance(Duration.ofSeconds(1));
        assertThat(standby.counters.counts().handOvers()).isEqualTo(NONE);
        deliver();
        assertThat(standby.counters.counts().handOvers()).isEqualTo(new HandOvers(1, TTL.plusSeconds(1)));
    }

    @Test
    void afterAReleaseItLastsFromThatRelease() {
        watchARenew();
        first.election.stepDown();
        first.settle();
        standby.settle();
        deliver();
        assertThat(standby.counters.counts().handOvers()).isEqualTo(new HandOvers(1, Duration.ZERO));
    }

    @Test
    void ofAPredecessorThatWasNeverSeenToLiveNothingIsSaid() {
        first.settle();
        standby.pass(TTL);
        deliver();
        assertThat(standby.isHeld()).isTrue();
        assertThat(standby.counters.counts().handOvers()).isEqualTo(NONE);
    }

    @Test
    void aFirstTermIsNoHandOver() {
        standby.settle();
        deliver();
        assertThat(standby.isHeld()).isTrue();
        assertThat(standby.counters.counts().handOvers()).isEqualTo(NONE);
    }

    @Test
    void aTermAfterAnOwnOneIsNoHandOver() {
        watchARenew();
        first.election.stepDown();
        first.settle();
        first.pass(TTL);
        assertThat(first.isHeld()).isTrue();
        assertThat(first.counters.counts().handOvers()).isEqualTo(NONE);
    }

    @Test
    void aTermWhoseWorkDidNotBeginIsNoHandOver() {
        watchARenew();
        standby.pass(TTL);
        standby.election.stepDown();
        deliver();
        assertThat(standby.counters.counts().handOvers()).isEqualTo(NONE);
    }
}
