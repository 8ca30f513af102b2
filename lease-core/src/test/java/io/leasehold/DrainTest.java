package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of a term whose work takes time to stop: the work has stopped when the test lets the listener return. */
class DrainTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RENEW = Duration.ofSeconds(2);
    private static final Duration DRAIN = Duration.ofSeconds(3);
    private static final Duration VALID = Duration.ofMillis(9_800);
    private static final Duration DRAIN_POINT = VALID.minus(DRAIN);
    private static final Duration MILLI = Duration.ofMillis(1);

    @TempDir
    Path parent;

    private final ManualClock clock = new ManualClock();
    private final Queue<Runnable> calls = new ArrayDeque<>();
    private LeaseDirectory directory;
    private Contender holder;

    @BeforeEach
    void acquire() {
        directory = new LeaseDirectory(parent);
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(TTL)
                .renewInterval(RENEW)
                .drainTimeout(DRAIN)
                .build();
        holder = new Contender("holder", settings, directory.store(), null, clock, calls::add);
        holder.settle();
        deliver();
        assertThat(holder.calls).containsExactly("acquired 1");
    }

    /** Lets every listener call that is waiting begin and return. */
    private void deliver() {
        for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
            call.run();
        }
    }

    private boolean isReleased() {
        return directory.read(1).contains("\"released\":true");
    }

    private void storeFails() {
        holder.store.readsFail = true;
        holder.store.write = FaultyLeaseStore.Write.CANNOT_BE_CONFIRMED;
    }

    @Test
    void withoutAConfirmedRenewTheSurrenderBeginsAtTheDrainPoint() {
        storeFails();
        holder.pass(DRAIN_POINT.minus(MILLI));
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.HOLDING);
        holder.pass(MILLI);
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.DRAINING);
        assertThat(holder.isHeld()).isTrue();
        deliver();
        assertThat(holder.calls).endsWith("surrendered 1 UNCONFIRMED");
    }

    @Test
    void whileDrainingAFailedReadWritesNothing() {
        storeFails();
        holder.pass(DRAIN_POINT);
        int writes = holder.store.writes;
        int reads = holder.store.reads;
        holder.pass(DRAIN.minus(MILLI));
        assertThat(holder.store.reads).isGreaterThan(reads);
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(holder.isHeld()).isTrue();
        holder.pass(MILLI);
        assertThat(holder.isHeld()).isFalse();
    }

    @Test
    void whileDrainingAReadThatSucceedsRenewsAndTheSurrenderIsNotTakenBack() {
        storeFails();
        holder.pass(DRAIN_POINT);
        holder.store.readsFail = false;
        holder.store.write = FaultyLeaseStore.Write.PASSES;
        holder.pass(RENEW);
        assertThat(holder.status().sinceConfirmed()).isLessThan(RENEW);
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.DRAINING);
        deliver();
        holder.settle();
        assertThat(isReleased()).isTrue();
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 UNCONFIRMED");
    }

    @Test
    void theLeaseIsReleasedOnlyAfterTheWorkHasStopped() {
        holder.pass(RENEW);
        holder.election.stepDown();
        holder.pass(Duration.ofSeconds(1));
        assertThat(isReleased()).isFalse();
        assertThat(holder.isHeld()).isTrue();
        deliver();
        holder.settle();
        assertThat(isReleased()).isTrue();
        assertThat(holder.isHeld()).isFalse();
    }

    @Test
    void whenTheLeaseIsReleasedItIsNoLongerHeld() {
        holder.election.stepDown();
        deliver();
        boolean[] held = {true};
        holder.store.beforeWrite = () -> held[0] = holder.isHeld();
        holder.settle();
        assertThat(isReleased()).isTrue();
        assertThat(held[0]).isFalse();
    }

    @Test
    void workThatDoesNotStopInTimeLeavesTheTermToRunOut() {
        holder.election.stepDown();
        holder.pass(DRAIN);
        int writes = holder.store.writes;
        holder.pass(TTL);
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(isReleased()).isFalse();
        assertThat(holder.isHeld()).isFalse();
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.STANDBY);
    }

    @Test
    void theLeaseIsRenewedWhileItDrainsAndNotAfterTheDrainTimeout() {
        holder.pass(RENEW);
        holder.election.stepDown();
        holder.pass(RENEW);
        assertThat(holder.status().sinceConfirmed()).isZero();
        holder.pass(DRAIN);
        assertThat(holder.status().sinceConfirmed()).isEqualTo(DRAIN);
        holder.pass(RENEW);
        assertThat(holder.status().sinceConfirmed()).isEqualTo(DRAIN.plus(RENEW));
    }

    @Test
    void workThatStopsAfterTheDeadlineReleasesNothing() {
        holder.election.stepDown();
        clock.advance(TTL);
        deliver();
        int writes = holder.store.writes;
        holder.settle();
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(isReleased()).isFalse();
    }

    @Test
    void whileAListenerHasNotReturnedTheProcessDoesNotContend() {
        holder.election.stepDown();
        holder.pass(TTL.multipliedBy(5));
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.STANDBY);
        deliver();
        holder.pass(TTL);
        assertThat(holder.lease().epoch()).isEqualTo(2);
        deliver();
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 STEPPED_DOWN", "acquired 2");
    }

    @Test
    void aSupersededHolderStopsBeingOneAtOnceAndItsWorkDrainsUntilTheDeadlineAtMost() {
        directory.write(2, 0, "PT10S", "2026-01-01T00:00:30Z", false);
        int writes = holder.store.writes;
        holder.pass(RENEW);
        assertThat(holder.isHeld()).isFalse();
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.DRAINING);
        holder.pass(VALID.minus(RENEW).minus(MILLI));
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.DRAINING);
        holder.pass(MILLI);
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.STANDBY);
        assertThat(holder.store.writes).isEqualTo(writes);
    }

    @Test
    void aSurrenderThatIsSupersededReleasesNothing() {
        holder.election.stepDown();
        directory.write(2, 0, "PT10S", "2026-01-01T00:00:30Z", false);
        holder.pass(RENEW);
        deliver();
        holder.settle();
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 STEPPED_DOWN");
        assertThat(isReleased()).isFalse();
    }

    @Test
    void aTermThatEndsBeforeItsListenersWereToldIsNotTold() {
        holder.election.stepDown();
        deliver();
        holder.settle();
        holder.pass(TTL);
        holder.election.stepDown();
        deliver();
        holder.settle();
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 STEPPED_DOWN");
        assertThat(directory.read(2)).contains("\"released\":true");
    }

    @Test
    void aListenerThatThrowsOnAcquireMakesTheProcessSurrenderAndRelease() {
        holder.election.close();
        deliver();
        holder.settle();
        Contender failing = new Contender(
                "failing", LeaseSettings.builder("orders").ttl(TTL).build(), directory.store(), null, clock);
        failing.listeners.add(new LeaseListener() {
            @Override
            public void onAcquired(Lease lease) {
                throw new IllegalStateException("cannot work");
            }

            @Override
            public void onSurrendered(Lease lease, SurrenderReason reason) {
                failing.calls.add("failed one surrendered " + lease.epoch() + " " + reason);
            }
        });
        failing.settle();
        assertThat(failing.calls)
                .containsExactly(
                        "acquired 2", "surrendered 2 LISTENER_FAILED", "failed one surrendered 2 LISTENER_FAILED");
        assertThat(directory.read(2)).contains("\"released\":true");
        failing.pass(TTL.minus(MILLI));
        assertThat(failing.election.phase()).isEqualTo(LeasePhase.STANDBY);
    }

    @Test
    void closingDrainsAndReleasesAndContendsNoMore() {
        holder.election.close();
        holder.settle();
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.DRAINING);
        deliver();
        holder.settle();
        assertThat(isReleased()).isTrue();
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.CLOSED);
        holder.pass(TTL.multipliedBy(2));
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.CLOSED);
    }

    @Test
    void aCloseDuringAClaimReleasesWhatWasClaimedAndTellsNobody() {
        holder.election.close();
        deliver();
        holder.settle();
        Contender late =
                new Contender("late", LeaseSettings.builder("orders").ttl(TTL).build(), directory.store(), null, clock);
        late.store.afterWrite = late.election::close;
        late.settle();
        assertThat(late.calls).isEmpty();
        assertThat(directory.read(2)).contains("\"released\":true");
        assertThat(late.election.phase()).isEqualTo(LeasePhase.CLOSED);
    }

    @Test
    void theDeadlineIsLookedAtJustBeforeARelease() {
        int released = 0;
        for (int read = 1; read <= 12; read++) {
            holder.election.stepDown();
            deliver();
            clock.jumpAtRead(read, TTL);
            boolean[] late = {false};
            holder.store.beforeWrite = () -> late[0] = !clock.isJumpToCome();
            int writes = holder.store.writes;
            holder.election.step();
            assertThat(late[0]).isFalse();
            released += holder.store.writes - writes;
            clock.jumpAtRead(0, Duration.ZERO);
            holder.store.beforeWrite = () -> {};
            holder.pass(TTL.multipliedBy(3));
            deliver();
        }
        assertThat(released).isPositive().isLessThan(12);
    }
}
