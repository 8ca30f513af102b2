package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CloseTest {
    private static final Duration TTL = Duration.ofMillis(1500);

    @TempDir
    Path directory;

    private final MemoryLeaseStore memory = new MemoryLeaseStore();
    private final HookedLeaseStore store = new HookedLeaseStore(memory);
    private final CallRecorder recorder = new CallRecorder();

    private static LeaderLease contender(LeaseStore store, Duration ttl, CallRecorder recorder) {
        LeaderLease lease =
                new LeaderLease(LeaseSettings.builder("orders").ttl(ttl).build(), store, null);
        lease.addListener(recorder);
        return lease;
    }

    private LeaderLease leading(Duration ttl) {
        LeaderLease lease = contender(store, ttl, recorder);
        lease.start();
        await().until(() -> recorder.calls.contains("acquired 1"));
        return lease;
    }

    private boolean isReleased() {
        LeaseRecord record = memory.read().record();
        return record != null && record.released();
    }

    private static FutureTask<Boolean> closing(LeaderLease lease) {
        return new FutureTask<>(() -> {
            lease.close();
            return Thread.currentThread().isInterrupted();
        });
    }

    private static Thread begin(FutureTask<?> task) {
        Thread thread = new Thread(task, "closer");
        thread.start();
        return thread;
    }

    @Test
    void closingBeforeTheStartDoesNothing() {
        LeaderLease lease = contender(store, TTL, recorder);
        lease.close();
        assertThat(lease.status().phase()).isEqualTo(LeasePhase.CLOSED);
        lease.start();
        await().until(lease::isHeld);
        lease.close();
    }

    @Test
    void closingStopsTheWorkReleasesAndIsIdempotent() {
        LeaderLease lease = leading(Duration.ofSeconds(30));
        AtomicBoolean releasedWhileWorking = new AtomicBoolean();
        recorder.onSurrendered = () -> releasedWhileWorking.set(isReleased());
        lease.close();
        lease.close();
        assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 CLOSED");
        assertThat(releasedWhileWorking).isFalse();
        assertThat(isReleased()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.status().phase()).isEqualTo(LeasePhase.CLOSED);
    }

    @Test
    void closingAStandbyTellsNoListener() {
        LeaderLease leader = leading(Duration.ofSeconds(30));
        CallRecorder idle = new CallRecorder();
        LeaderLease standby = contender(memory, Duration.ofSeconds(30), idle);
        standby.start();
        standby.stepDown();
        await().until(() -> standby.status().currentHolder() != null);
        standby.close();
        assertThat(idle.calls).isEmpty();
        assertThat(leader.isHeld()).isTrue();
        leader.close();
    }

    @Test
    void closingFromInsideAListenerDoesNotWaitForItself() {
        LeaderLease lease = contender(store, Duration.ofSeconds(30), recorder);
        recorder.onAcquired = lease::close;
        recorder.onSurrendered = lease::close;
        lease.start();
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
        assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 CLOSED");
        assertThat(isReleased()).isTrue();
    }

    @Test
    void closingWhileTheStoreHangsReturnsByTheDeadline() throws Exception {
        try (LeaderLease lease = leading(TTL);
                Gate gate = new Gate()) {
            store.beforeRead = gate::pass;
            gate.awaitReached();
            FutureTask<Boolean> close = closing(lease);
            begin(close);
            assertThat(close.get(1, TimeUnit.MINUTES)).isFalse();
            assertThat(gate.isOpen()).isFalse();
            assertThat(lease.isHeld()).isFalse();
            assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 CLOSED");
            assertThat(isReleased()).isFalse();
        }
    }

    @Test
    void closingAStandbyWhoseStoreHangsReturnsSoonAndNeverLeads() throws Exception {
        LeaderLease lease = contender(store, Duration.ofSeconds(30), recorder);
        try (Gate gate = new Gate()) {
            store.beforeWrite = gate::pass;
            lease.start();
            gate.awaitReached();
            FutureTask<Boolean> close = closing(lease);
            begin(close);
            close.get(20, TimeUnit.SECONDS);
            assertThat(gate.isOpen()).isFalse();
        }
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
        assertThat(recorder.calls).isEmpty();
        assertThat(isReleased()).isTrue();
    }

    @Test
    void anInterruptEndsTheWaitAndNotTheClosing() throws Exception {
        LeaderLease lease = leading(Duration.ofSeconds(60));
        try (Gate gate = new Gate()) {
            recorder.onSurrendered = gate::pass;
            FutureTask<Boolean> close = closing(lease);
            Thread closer = begin(close);
            gate.awaitReached();
            assertThat(close.isDone()).isFalse();
            closer.interrupt();
            assertThat(close.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(lease.isHeld()).isTrue();
            assertThat(isReleased()).isFalse();
        }
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
        assertThat(isReleased()).isTrue();
    }

    @Test
    void aThreadThatWasInterruptedBeforeClosesAllTheSame() throws Exception {
        FileLeaseStore files = FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS);
        LeaderLease lease = contender(files, Duration.ofSeconds(30), recorder);
        lease.start();
        await().until(lease::isHeld);
        FutureTask<Boolean> close = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            lease.close();
            return Thread.currentThread().isInterrupted();
        });
        begin(close);
        assertThat(close.get(20, TimeUnit.SECONDS)).isTrue();
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
        assertThat(files.read().record())
                .isNotNull()
                .extracting(LeaseRecord::released)
                .isEqualTo(true);
        lease.start();
        await().until(lease::isHeld);
        assertThat(lease.requireEpoch()).isEqualTo(2);
        lease.close();
    }

    @Test
    void aStartAfterACloseIsAnotherHolderThatLeadsAgain() {
        LeaderLease lease = leading(Duration.ofSeconds(30));
        String first = lease.status().holder();
        Lease firstTerm = lease.current().orElseThrow();
        lease.close();
        assertThatThrownBy(lease::requireEpoch).isInstanceOf(NotHolderException.class);
        lease.start();
        await().until(() -> recorder.calls.contains("acquired 2"));
        assertThat(lease.status().holder()).isNotEqualTo(first);
        assertThat(firstTerm.isHeld()).isFalse();
        lease.close();
        assertThat(recorder.calls)
                .containsExactly("acquired 1", "surrendered 1 CLOSED", "acquired 2", "surrendered 2 CLOSED");
    }

    @Test
    void workThatDoesNotStopInTimeIsNotReleasedAndAnotherLeadsOnlyAfterTheTerm() {
        CallRecorder successor = new CallRecorder();
        AtomicBoolean overlapped = new AtomicBoolean();
        try (LeaderLease lease = leading(TTL);
                LeaderLease other = contender(memory, TTL, successor);
                Gate gate = new Gate()) {
            Lease term = lease.current().orElseThrow();
            successor.onAcquired = () -> overlapped.set(term.isHeld());
            recorder.onSurrendered = gate::pass;
            other.start();
            lease.close();
            assertThat(gate.isOpen()).isFalse();
            assertThat(term.isHeld()).isFalse();
            assertThat(isReleased()).isFalse();
            await().until(() -> successor.calls.contains("acquired 2"));
            assertThat(overlapped).isFalse();
        }
    }

    @Test
    void aListenerThatHungWhenItAcquiredIsToldOfTheSurrenderAlsoAfterTheClose() {
        LeaderLease lease = contender(store, TTL, recorder);
        try (Gate gate = new Gate()) {
            recorder.onAcquired = gate::pass;
            lease.start();
            gate.awaitReached();
            lease.close();
            await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
            assertThat(gate.isOpen()).isFalse();
            assertThat(recorder.calls).containsExactly("acquired 1");
        }
        await().until(() -> recorder.calls.size() == 2);
        assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 CLOSED");
        lease.start();
        await().until(() -> recorder.calls.contains("acquired 2"));
        lease.close();
    }

    @Test
    void aLateCloseAfterASuccessorHasClaimedLeavesItsFileUntouched() throws Exception {
        LeaseSettings settings =
                LeaseSettings.builder("orders").ttl(Duration.ofSeconds(10)).build();
        ManualClock ownClock = new ManualClock();
        ManualClock otherClock = new ManualClock();
        FileLeaseStore files = FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS);
        Contender frozen = new Contender("frozen", settings, files, null, ownClock);
        Contender successor = new Contender("successor", settings, files, null, otherClock);
        frozen.settle();
        frozen.pass(settings.renewInterval());
        successor.settle();
        successor.pass(settings.ttl());
        assertThat(successor.lease().epoch()).isEqualTo(2);
        String own = Files.readString(directory.resolve("1.json"));
        String others = Files.readString(directory.resolve("2.json"));

        ownClock.advance(settings.ttl());
        frozen.election.close();
        frozen.settle();
        assertThat(frozen.calls).containsExactly("acquired 1", "surrendered 1 EXPIRED");
        assertThat(frozen.election.phase()).isEqualTo(LeasePhase.CLOSED);
        assertThat(directory.resolve("1.json")).hasContent(own);
        assertThat(directory.resolve("2.json")).hasContent(others);
        successor.pass(settings.ttl());
        assertThat(successor.isHeld()).isTrue();
    }
}
