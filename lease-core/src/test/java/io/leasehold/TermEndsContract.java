package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a store promises to a term that ends in its own process, or is worked for by interrupted threads. */
public abstract class TermEndsContract {
    private static final Duration TTL = Duration.ofSeconds(6);
    private static final Duration LONG_TTL = Duration.ofSeconds(60);

    /** One process's stores for the lease of a test and its state, with whatever connections they keep. */
    public record Handle(LeaseStore leases, StateStore states, AutoCloseable connections) implements AutoCloseable {
        @Override
        public void close() throws Exception {
            connections.close();
        }
    }

    /** What ends a term in its own process. */
    enum End {
        A_COMMIT_IS_FENCED,
        THE_WORK_DOES_NOT_BEGIN,
        THE_WORK_DOES_NOT_STOP
    }

    /** What a thread calls that is interrupted meanwhile. */
    enum Call {
        CLOSE,
        STEP_DOWN,
        COMMIT
    }

    private final List<Handle> opened = new ArrayList<>();

    /** A handle on the one lease of a test. */
    protected abstract Handle newHandle() throws Exception;

    /** A handle that is closed after the test. */
    final Handle open() throws Exception {
        Handle handle = newHandle();
        opened.add(handle);
        handle.leases().initialize();
        return handle;
    }

    @BeforeEach
    void bePatient() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void closeHandles() throws Exception {
        Awaitility.reset();
        for (Handle handle : opened) {
            handle.close();
        }
    }

    private static LeaderLease contender(Handle handle, CallRecorder work) {
        LeaderLease lease =
                new LeaderLease(LeaseSettings.builder("orders").ttl(TTL).build(), handle.leases(), handle.states());
        lease.addListener(work);
        return lease;
    }

    @ParameterizedTest
    @EnumSource
    void aTermThatEndsInItsProcessIsRenewedNoMoreAndItsWorkIsDoneInAnother(End end) throws Exception {
        Handle others = open();
        CallRecorder ending = new CallRecorder();
        CallRecorder next = new CallRecorder();
        try (LeaderLease first = contender(open(), ending);
                LeaderLease second = contender(others, next)) {
            if (end == End.THE_WORK_DOES_NOT_BEGIN) {
                ending.onAcquired = () -> failOnce(ending);
            }
            first.start();
            await().until(() -> ending.calls.contains("acquired 1"));
            second.start();
            if (end == End.A_COMMIT_IS_FENCED) {
                String id = Objects.requireNonNull(others.leases().read().leaseId());
                others.states().open(2, "another", id);
                assertThatThrownBy(() -> first.state().commit("orders", "1")).isInstanceOf(StateFenceException.class);
            } else if (end == End.THE_WORK_DOES_NOT_STOP) {
                ending.onSurrendered = () -> failOnce(ending);
                first.stepDown();
            }
            await().until(() -> ending.calls.size() > 1);
            await().atMost(TTL.multipliedBy(4)).until(() -> works(first, ending) || works(second, next));
            await().during(TTL).atMost(TTL.multipliedBy(2)).until(() -> works(first, ending) != works(second, next));
        }
    }

    private static void failOnce(CallRecorder work) {
        work.onAcquired = () -> {};
        work.onSurrendered = () -> {};
        throw new IllegalStateException("chosen by the test");
    }

    /** Whether a contender leads a later term than the first, and its work was begun and takes what it commits. */
    private static boolean works(LeaderLease lease, CallRecorder work) {
        long epoch = lease.current().map(Lease::epoch).orElse(0L);
        if (epoch < 2 || !work.calls.contains("acquired " + epoch)) {
            return false;
        }
        lease.state().commit("orders", "of epoch " + epoch);
        return true;
    }

    /** Runs a call whose thread is interrupted as soon as a store works meanwhile; returns whether the flag was kept. */
    private static boolean interrupted(Call call, LeaderLease lease, Interruption interruption) throws Exception {
        ExecutorService caller = Executors.newSingleThreadExecutor();
        Future<Boolean> kept = caller.submit(() -> {
            interruption.of = caller::shutdownNow;
            switch (call) {
                case CLOSE -> lease.close();
                case STEP_DOWN -> {
                    caller.shutdownNow();
                    lease.stepDown();
                }
                case COMMIT -> {
                    Throwable told = catchThrowable(() -> lease.state().commit("orders", "interrupted"));
                    assertThat(told)
                            .satisfiesAnyOf(
                                    e -> assertThat(e).isNull(),
                                    e -> assertThat(e).isExactlyInstanceOf(StateStoreException.class));
                }
            }
            return Thread.currentThread().isInterrupted();
        });
        try {
            return kept.get(LONG_TTL.toSeconds(), TimeUnit.SECONDS);
        } finally {
            interruption.of = () -> {};
        }
    }

    /** What is done to the caller when a store begins to write. */
    private static final class Interruption {
        volatile Runnable of = () -> {};
    }

    @ParameterizedTest
    @EnumSource
    void aCallerThatIsInterruptedWhileAStoreWritesKeepsItsFlagAndTheNextTermFollowsTheRelease(Call call)
            throws Exception {
        Handle handle = open();
        Interruption interruption = new Interruption();
        HookedLeaseStore leases = new HookedLeaseStore(handle.leases());
        leases.beforeWrite = () -> interruption.of.run();
        StateStore states = new VouchingStateStore(handle.states(), (epoch, opens) -> {
            interruption.of.run();
            return keys -> {};
        });
        Lease former = null;
        try (LeaderLease lease = patient(leases, states)) {
            for (int term = 1; term <= 3; term++) {
                lease.start();
                await().atMost(LONG_TTL.dividedBy(2)).until(lease::isHeld);
                Lease current = lease.current().orElseThrow();
                assertThat(current.epoch()).isEqualTo(term);
                assertThat(former != null && former.isHeld()).isFalse();
                assertThat(interrupted(call, lease, interruption)).isTrue();
                if (call == Call.COMMIT) {
                    lease.state().commit("term", Integer.toString(term));
                    assertThat(handle.states().snapshot()).containsEntry("term", Integer.toString(term));
                }
                if (call != Call.CLOSE) {
                    lease.close();
                    assertThat(Objects.requireNonNull(handle.leases().read().record())
                                    .released())
                            .isTrue();
                }
                former = current;
            }
        }
    }

    private static LeaderLease patient(LeaseStore leases, StateStore states) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(LONG_TTL)
                .renewInterval(Duration.ofMillis(200))
                .build();
        return new LeaderLease(settings, leases, states);
    }

    @Test
    void interruptsOfTheThreadsThatWorkForTheLeaseEndNoTerm() throws Exception {
        Handle handle = open();
        try (LeaderLease lease = patient(handle.leases(), handle.states())) {
            lease.start();
            await().until(lease::isHeld);
            await().pollInterval(Duration.ofMillis(5))
                    .during(Duration.ofSeconds(2))
                    .until(() -> {
                        Thread.getAllStackTraces().keySet().stream()
                                .filter(thread -> thread.getName().startsWith("lease-"))
                                .forEach(Thread::interrupt);
                        return lease.isHeld();
                    });
            Instant before = Objects.requireNonNull(lease.status().lastConfirmed());
            await().until(() -> !before.equals(lease.status().lastConfirmed()));
            await().ignoreExceptionsInstanceOf(StateStoreException.class)
                    .untilAsserted(() -> lease.state().commit("orders", "17"));
            assertThat(lease.requireEpoch()).isOne();
        }
    }
}
