package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.store.LeaseRecord;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application that calls the lease with a lock that its listeners need waits for nothing but what is documented. */
@Timeout(120)
// The lock is held while the lease does things, and freed at the end of each test.
@SuppressWarnings("LockNotBeforeTry")
class UserLockTest {
    private static final Duration TTL = Duration.ofSeconds(4);
    private static final Duration AT_ONCE = TTL.dividedBy(4);

    private final ReentrantLock lock = new ReentrantLock();
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final CallRecorder recorder = new CallRecorder();
    private final LeaderLease lease =
            new LeaderLease(LeaseSettings.builder("orders").ttl(TTL).build(), store, new MemoryStateStore());

    private void lead() {
        lease.addListener(recorder);
        lease.start();
        await().until(() -> recorder.calls.contains("acquired 1"));
    }

    @AfterEach
    void end() {
        if (lock.isHeldByCurrentThread()) {
            lock.unlock();
        }
        lease.close();
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
    }

    private void takeTheLock() {
        lock.lock();
        lock.unlock();
    }

    private long sequence() {
        LeaseRecord record = Objects.requireNonNull(store.read().record());
        return record.sequence();
    }

    private static void atOnce(Runnable call) {
        long beganNs = System.nanoTime();
        call.run();
        assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(AT_ONCE);
    }

    private void everythingAnswersAtOnce() {
        atOnce(lease::isHeld);
        atOnce(lease::status);
        atOnce(lease::current);
        atOnce(() -> lease.state().commit("orders", "17"));
        atOnce(lease::stepDown);
    }

    @Test
    void aListenerThatWaitsForItsCallersLockWhenItBeginsKeepsTheLeaseRenewed() {
        recorder.onAcquired = this::takeTheLock;
        lock.lock();
        lead();
        long before = sequence();
        await().until(() -> sequence() > before + 1);
        assertThat(lease.isHeld()).isTrue();
        everythingAnswersAtOnce();
        assertThat(lease.status().phase()).isEqualTo(LeasePhase.DRAINING);
        await().until(() -> !lease.isHeld());
        assertThat(recorder.calls).containsExactly("acquired 1");
        lock.unlock();
        await().until(() -> recorder.calls.contains("surrendered 1 STEPPED_DOWN"));
    }

    @Test
    void aListenerThatWaitsForItsCallersLockWhenItStopsHoldsUpNobodyAndTheDeadlineCounts() {
        recorder.onSurrendered = this::takeTheLock;
        lead();
        lock.lock();
        everythingAnswersAtOnce();
        await().until(() -> recorder.calls.contains("surrendered 1 STEPPED_DOWN"));
        everythingAnswersAtOnce();
        await().until(() -> !lease.isHeld());
        assertThat(lease.status().phase()).isNotEqualTo(LeasePhase.HOLDING);
        assertThat(store.read().record()).isNotNull().matches(record -> !record.released(), "is not released");
        lock.unlock();
        await().until(() -> lease.status().phase() == LeasePhase.STANDBY);
    }

    @Test
    void closingWithALockThatAListenerNeedsReturnsByTheDeadlineAndTheListenerIsHeardOfLater() {
        recorder.onSurrendered = this::takeTheLock;
        lead();
        lock.lock();
        long beganNs = System.nanoTime();
        lease.close();
        Duration took = Duration.ofNanos(System.nanoTime() - beganNs);
        assertThat(took).isLessThan(TTL.plus(lease.settings().renewInterval()).plus(AT_ONCE));
        assertThat(lease.isHeld()).isFalse();
        assertThat(store.read().record()).isNotNull().matches(record -> !record.released(), "is not released");
        lock.unlock();
        await().atMost(30, TimeUnit.SECONDS).until(() -> lease.status().phase() == LeasePhase.CLOSED);
        assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 CLOSED");
    }
}
