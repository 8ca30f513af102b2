package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecords;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** What is observed: every operation once, with the outcome that it had, and nothing that an observer does to it. */
class LeaseObserverTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RENEW = Duration.ofSeconds(2);
    private static final Duration DRAIN = Duration.ofSeconds(3);

    private final ManualClock clock = new ManualClock();
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final MemoryStateStore memoryState = new MemoryStateStore();
    private final UnsteadyState state = new UnsteadyState(memoryState);
    private final RecordingObserver observer = new RecordingObserver();
    private final Queue<Runnable> deferred = new ArrayDeque<>();
    private final Contender holder = observed("holder", Runnable::run);

    private Contender observed(String id, Executor workers) {
        Contender contender = contender(id, workers);
        contender.observers.add(observer);
        return contender;
    }

    private Contender contender(String id, Executor workers) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(TTL)
                .renewInterval(RENEW)
                .drainTimeout(DRAIN)
                .build();
        return new Contender(id, settings, store, state, clock, workers);
    }

    private void deliver() {
        for (Runnable call = deferred.poll(); call != null; call = deferred.poll()) {
            call.run();
        }
    }

    private void assertNothingIsLeftOpen() {
        assertThat(observer.underWay).isZero();
        assertThat(observer.inside).isZero();
    }

    @Test
    void aTermIsObservedFromItsClaimToItsRelease() {
        holder.settle();
        assertThat(observer.take()).containsExactly("ACQUIRE 1 ACQUIRED", "START 1 STARTED");
        holder.pass(RENEW.multipliedBy(2));
        assertThat(observer.take()).containsExactly("RENEW 1 CONFIRMED", "RENEW 1 CONFIRMED");
        holder.lease().state().commit("key", "value");
        assertThat(observer.take()).containsExactly("COMMIT 1 ACKNOWLEDGED");
        holder.election.stepDown();
        holder.settle();
        assertThat(observer.take()).containsExactly("DRAIN 1 RELEASED");
        assertNothingIsLeftOpen();
    }

    @Test
    void aClaimThatAnotherWinsIsLost() {
        holder.store.beforeWrite = () -> {
            holder.store.beforeWrite = () -> {};
            contender("other", Runnable::run).settle();
        };
        holder.election.step();
        assertThat(observer.take()).containsExactly("ACQUIRE 1 LOST");
        assertNothingIsLeftOpen();
    }

    @Test
    void aClaimWhoseWriteFailsHasFailed() {
        holder.store.write = FaultyLeaseStore.Write.FAILS;
        holder.election.step();
        assertThat(observer.take()).containsExactly("ACQUIRE 1 FAILED");
        assertThat(observer.causes).containsExactly("ACQUIRE: write fails");
        assertNothingIsLeftOpen();
    }

    @Test
    void aClaimIsObservedOnceHoweverOftenItsStateIsTried() {
        state.failing = true;
        holder.pass(RENEW);
        assertThat(observer.take()).isEmpty();
        assertThat(observer.underWay).isOne();
        state.failing = false;
        holder.pass(RENEW);
        assertThat(observer.take()).startsWith("ACQUIRE 1 ACQUIRED", "START 1 STARTED");
    }

    @Test
    void aClaimWhoseStateCannotBeOpenedInTimeHasExpired() {
        state.failing = true;
        holder.pass(TTL.minusMillis(200));
        assertThat(observer.take()).containsExactly("ACQUIRE 1 EXPIRED");
        assertThat(observer.causes).containsExactly("ACQUIRE: the state cannot be read");
    }

    @Test
    void aClaimWhoseStateIsAlreadyASuccessorsIsFenced() {
        holder.store.afterWrite =
                () -> memoryState.open(2, "other", String.valueOf(store.read().leaseId()));
        holder.election.step();
        assertThat(observer.take()).containsExactly("ACQUIRE 1 FENCED");
        assertNothingIsLeftOpen();
    }

    @Test
    void aClaimThatWaitsWhenItsProcessClosesIsAbandoned() {
        state.failing = true;
        holder.pass(RENEW);
        holder.election.close();
        holder.election.step();
        assertThat(observer.take()).containsExactly("ACQUIRE 1 ABANDONED");
        assertNothingIsLeftOpen();
    }

    @Test
    void aStartThatFailsIsObservedAndTheTermDrains() {
        LeaseListener broken = new LeaseListener() {
            @Override
            public void onAcquired(Lease lease) {
                throw new IllegalStateException("the queue is missing");
            }

            @Override
            public void onSurrendered(Lease lease, SurrenderReason reason) {
                assertThat(lease.isHeld()).isTrue();
            }
        };
        holder.listeners.add(broken);
        holder.settle();
        assertThat(observer.take()).containsExactly("ACQUIRE 1 ACQUIRED", "START 1 FAILED", "DRAIN 1 RELEASED");
        assertThat(observer.causes).containsExactly("START: the queue is missing");
        assertNothingIsLeftOpen();
    }

    @Test
    void aStartThatTheSurrenderOvertakesIsAbandoned() {
        Contender slow = observed("slow", deferred::add);
        slow.settle();
        slow.election.stepDown();
        deliver();
        slow.settle();
        assertThat(observer.take()).containsExactly("ACQUIRE 1 ACQUIRED", "START 1 ABANDONED", "DRAIN 1 RELEASED");
        assertNothingIsLeftOpen();
    }

    @Test
    void everyAttemptToRenewIsObservedWithItsOutcome() {
        holder.settle();
        holder.store.write = FaultyLeaseStore.Write.CANNOT_BE_CONFIRMED;
        holder.pass(RENEW);
        holder.store.write = FaultyLeaseStore.Write.PASSES;
        holder.store.readsToFail = 1;
        holder.pass(RENEW.plusMillis(500));
        holder.store.write = FaultyLeaseStore.Write.FAILS;
        holder.pass(RENEW);
        assertThat(observer.take())
                .startsWith(
                        "ACQUIRE 1 ACQUIRED",
                        "START 1 STARTED",
                        "RENEW 1 UNVERIFIED",
                        "RENEW 1 FAILED",
                        "RENEW 1 CONFIRMED",
                        "RENEW 1 FAILED");
        assertThat(observer.causes).startsWith("RENEW: read fails", "RENEW: write fails");
        assertThat(observer.inside).isZero();
    }

    @Test
    void aRenewThatFindsASuccessorIsSupersededAndItsWorkStops() {
        Contender frozen = observed("frozen", deferred::add);
        frozen.settle();
        deliver();
        observer.take();
        clock.advance(RENEW);
        frozen.store.beforeRead = () -> {
            frozen.store.beforeRead = () -> {};
            assertThatCode(() -> store.replace(store.read(), LeaseRecords.claim("other", 2)))
                    .doesNotThrowAnyException();
        };
        frozen.election.step();
        deliver();
        frozen.settle();
        assertThat(observer.take()).startsWith("RENEW 1 SUPERSEDED", "DRAIN 1 STOPPED");
    }

    @Test
    void workThatDoesNotStopBeforeTheDeadlineLetsTheDrainExpire() {
        Contender hanging = observed("hanging", deferred::add);
        hanging.settle();
        deliver();
        observer.take();
        hanging.election.stepDown();
        Runnable surrendered = deferred.remove();
        deliver();
        hanging.pass(TTL.multipliedBy(2));
        assertThat(observer.take())
                .filteredOn(entry -> entry.startsWith("DRAIN"))
                .containsExactly("DRAIN 1 EXPIRED");
        surrendered.run();
        assertNothingIsLeftOpen();
    }

    @Test
    void aCommitIsObservedWithItsOutcome() {
        holder.settle();
        observer.take();
        state.writesFail = true;
        assertThatThrownBy(() -> holder.lease().state().commit("a", "1")).isInstanceOf(StateStoreException.class);
        assertThat(observer.take()).containsExactly("COMMIT 1 FAILED");
        state.writesFail = false;
        memoryState.open(2, "other", String.valueOf(store.read().leaseId()));
        assertThatThrownBy(() -> holder.lease().state().commit("a", "1")).isInstanceOf(StateFenceException.class);
        assertThat(observer.take()).contains("COMMIT 1 FENCED");
    }

    @ParameterizedTest
    @EnumSource
    void anObserverThatThrowsChangesNothingAndIsLoggedOnce(Broken where) {
        Logger logger = (Logger) LoggerFactory.getLogger(GuardedObserver.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        holder.observers.add((operation, lease, id, epoch) -> {
            where.failIf(Broken.BEGIN);
            return new LeaseObserver.Observed() {
                @Override
                public LeaseObserver.Scope enter() {
                    where.failIf(Broken.ENTER);
                    return () -> where.failIf(Broken.LEAVE);
                }

                @Override
                public void end(LeaseOutcome outcome, @Nullable Throwable failure) {
                    where.failIf(Broken.END);
                }
            };
        });
        try {
            aTermIsObservedFromItsClaimToItsRelease();
        } finally {
            logger.detachAppender(logged);
        }
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 STEPPED_DOWN");
        assertThat(logged.list).hasSize(1);
    }

    @Test
    void observersAreAddedBeforeTheStartOnly() {
        try (LeaderLease lease = new LeaderLease(LeaseSettings.builder("orders").build(), store, memoryState)) {
            lease.addObserver(observer);
            lease.start();
            assertThatThrownBy(() -> lease.addObserver(observer)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void everyOutcomeBelongsToAnOperation() {
        assertThat(Stream.of(LeaseOperation.values()).flatMap(operation -> operation.outcomes().stream()))
                .containsAll(EnumSet.allOf(LeaseOutcome.class));
    }

    /** Where an observer throws. */
    enum Broken {
        BEGIN,
        ENTER,
        LEAVE,
        END;

        void failIf(Broken place) {
            if (this == place) {
                throw new IllegalStateException("the observer is broken");
            }
        }
    }

    /** A state store that fails when a test says so. */
    private static final class UnsteadyState implements StateStore {
        private final MemoryStateStore steady;
        boolean failing;
        boolean writesFail;

        UnsteadyState(MemoryStateStore steady) {
            this.steady = steady;
        }

        @Override
        public StateHead head() {
            return steady.head();
        }

        @Override
        public StateSession open(long epoch, String holder, String leaseId) {
            if (failing) {
                throw new StateStoreException("the state cannot be read");
            }
            StateSession session = steady.open(epoch, holder, leaseId);
            return new StateSession() {
                @Override
                public Map<String, String> entries() {
                    return session.entries();
                }

                @Override
                public void write(Map<String, String> entries) {
                    if (writesFail) {
                        throw new StateStoreException("the state cannot be written");
                    }
                    session.write(entries);
                }
            };
        }

        @Override
        public Map<String, String> snapshot() {
            return steady.snapshot();
        }

        @Override
        public String location() {
            return steady.location();
        }
    }
}
