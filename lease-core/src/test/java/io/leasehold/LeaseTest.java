package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LeaseClock.Moment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** One term: a ttl of 10 s, a margin of 200 ms and a drain timeout of 3 s put its drain point at 6.8 s. */
class LeaseTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration VALID = Duration.ofMillis(9_800);
    private static final Duration UNTIL_DRAIN_POINT = Duration.ofMillis(6_800);
    private static final Duration DRAIN = Duration.ofSeconds(3);
    private static final Duration MOMENT = Duration.ofMillis(1);

    private final ManualClock clock = new ManualClock();
    private final List<SurrenderReason> told = new CopyOnWriteArrayList<>();
    private final Lease lease = term(DRAIN);

    private Lease term(Duration drainTimeout) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(TTL)
                .drainTimeout(drainTimeout)
                .build();
        return new Lease(settings, "host-1", 7, clock.now(), clock, (term, reason) -> told.add(reason), null);
    }

    @Test
    void aTermIsHeldUntilItsDeadlineAndNotAtIt() {
        clock.advance(VALID.minus(MOMENT));
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(MOMENT);
        clock.advance(MOMENT);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void isHeldStaysFalseWhenTheClocksGoBack() {
        clock.advance(TTL);
        assertThat(lease.isHeld()).isFalse();
        clock.advance(TTL.negated());
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.confirm(clock.now())).isFalse();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aWallClockJumpAloneEndsTheTerm() {
        clock.advanceWall(VALID);
        assertThat(lease.remaining()).isZero();
        assertThat(lease.isHeld()).isFalse();
        assertThat(told).containsExactly(SurrenderReason.EXPIRED);
    }

    @Test
    void theMonotonicClockAloneEndsTheTerm() {
        clock.advanceMonotonic(VALID);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aWallClockThatIsSetBackProlongsNothing() {
        clock.advanceWall(Duration.ofDays(-1));
        assertThat(lease.remaining()).isEqualTo(VALID);
        clock.advance(VALID);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void whoeverFindsTheDeadlinePassedEndsTheTermForEveryone() {
        clock.advance(TTL);
        assertThat(told).isEmpty();
        assertThat(lease.isHeld()).isFalse();
        assertThat(told).containsExactly(SurrenderReason.EXPIRED);
        assertThat(lease.reason()).isEqualTo(SurrenderReason.EXPIRED);
        assertThat(lease.end(SurrenderReason.SUPERSEDED)).isFalse();
        assertThat(lease.drain(SurrenderReason.STEPPED_DOWN)).isFalse();
        assertThat(lease.enforce()).isEqualTo(Long.MAX_VALUE);
        assertThat(told).hasSize(1);
    }

    @Test
    void aConfirmationAfterTheDeadlineIsRefusedAlsoWhenNobodyLooked() {
        Moment begun = clock.now();
        clock.advance(VALID);
        assertThat(lease.confirm(begun)).isFalse();
        assertThat(told).containsExactly(SurrenderReason.EXPIRED);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void aConfirmationCountsFromTheMomentBeforeTheWrite() {
        clock.advance(Duration.ofSeconds(2));
        Moment begun = clock.now();
        clock.advance(Duration.ofSeconds(3));
        assertThat(lease.confirm(begun)).isTrue();
        assertThat(lease.lastConfirmed()).isEqualTo(begun);
        assertThat(lease.remaining()).isEqualTo(VALID.minusSeconds(3));
    }

    @Test
    void aConfirmationWhileDrainingMovesTheDeadlineAndTakesNothingBack() {
        assertThat(lease.drain(SurrenderReason.STEPPED_DOWN)).isTrue();
        clock.advance(Duration.ofSeconds(5));
        assertThat(lease.confirm(clock.now())).isTrue();
        assertThat(lease.remaining()).isEqualTo(VALID);
        assertThat(lease.isDraining()).isTrue();
        assertThat(lease.reason()).isEqualTo(SurrenderReason.STEPPED_DOWN);
        assertThat(lease.drainTimeoutPassed()).isTrue();
        clock.advance(VALID);
        assertThat(lease.isHeld()).isFalse();
        assertThat(told).containsExactly(SurrenderReason.STEPPED_DOWN);
    }

    @Test
    void aDrainedTermEndsWithItsFirstReasonAndIsToldOnce() {
        assertThat(lease.drain(SurrenderReason.CLOSED)).isTrue();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.isSurrendering()).isTrue();
        assertThat(lease.drain(SurrenderReason.STEPPED_DOWN)).isFalse();
        assertThat(lease.end(SurrenderReason.FENCED)).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.isDraining()).isFalse();
        assertThat(lease.end(SurrenderReason.FENCED)).isFalse();
        assertThat(lease.reason()).isEqualTo(SurrenderReason.CLOSED);
        assertThat(told).containsExactly(SurrenderReason.CLOSED);
    }

    @Test
    void aTermThatIsEndedWithTimeLeftIsNotHeldAtOnce() {
        assertThat(lease.end(SurrenderReason.SUPERSEDED)).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.confirm(clock.now())).isFalse();
        assertThat(lease.untilDeadlineNs()).isEqualTo(VALID.toNanos());
        assertThat(told).containsExactly(SurrenderReason.SUPERSEDED);
    }

    @Test
    void aDrainAfterTheDeadlineIsAnExpiry() {
        clock.advance(VALID);
        assertThat(lease.drain(SurrenderReason.CLOSED)).isFalse();
        assertThat(told).containsExactly(SurrenderReason.EXPIRED);
    }

    @Test
    void aTermDrainsAtItsDrainPointAndEndsAtItsDeadline() {
        assertThat(lease.enforce()).isEqualTo(UNTIL_DRAIN_POINT.toNanos());
        clock.advance(UNTIL_DRAIN_POINT.minus(MOMENT));
        assertThat(lease.enforce()).isEqualTo(MOMENT.toNanos());
        assertThat(told).isEmpty();

        clock.advance(MOMENT);
        assertThat(lease.enforce()).isEqualTo(DRAIN.toNanos());
        assertThat(lease.isDraining()).isTrue();
        assertThat(lease.isHeld()).isTrue();
        assertThat(told).containsExactly(SurrenderReason.UNCONFIRMED);

        clock.advance(DRAIN);
        assertThat(lease.enforce()).isEqualTo(Long.MAX_VALUE);
        assertThat(lease.isHeld()).isFalse();
        assertThat(told).containsExactly(SurrenderReason.UNCONFIRMED);
    }

    @Test
    void aTermFrozenFromBeforeItsDrainPointToAfterItsDeadlineHasExpired() {
        clock.advance(VALID);
        assertThat(lease.enforce()).isEqualTo(Long.MAX_VALUE);
        assertThat(told).containsExactly(SurrenderReason.EXPIRED);
    }

    @Test
    void withoutADrainTimeoutATermIsUndisturbedUntilItsDeadline() {
        Lease undrained = term(Duration.ZERO);
        clock.advance(VALID.minus(MOMENT));
        assertThat(undrained.enforce()).isEqualTo(MOMENT.toNanos());
        assertThat(undrained.isSurrendering()).isFalse();
        clock.advance(MOMENT);
        undrained.enforce();
        assertThat(told).containsExactly(SurrenderReason.EXPIRED);
    }

    @Test
    void aConfirmationMovesTheDrainPoint() {
        clock.advance(Duration.ofSeconds(6));
        assertThat(lease.confirm(clock.now())).isTrue();
        clock.advance(Duration.ofSeconds(6));
        assertThat(lease.enforce()).isEqualTo(Duration.ofMillis(800).toNanos());
        assertThat(told).isEmpty();
    }

    @Test
    void theDrainTimeoutCountsFromTheBeginningOfTheSurrender() {
        assertThat(lease.drainTimeoutPassed()).isFalse();
        clock.advance(Duration.ofSeconds(2));
        lease.drain(SurrenderReason.STEPPED_DOWN);
        clock.advance(DRAIN.minus(MOMENT));
        assertThat(lease.drainTimeoutPassed()).isFalse();
        clock.advance(MOMENT);
        assertThat(lease.drainTimeoutPassed()).isTrue();
    }

    @Test
    void aTermTellsItsNameAndHolderAndEpoch() {
        assertThat(lease.name()).isEqualTo("orders");
        assertThat(lease.holder()).isEqualTo("host-1");
        assertThat(lease.epoch()).isEqualTo(7);
        assertThat(lease).hasToString("lease orders, epoch 7, holder host-1, HELD");
    }

    @Test
    void aLeaseWithoutAStateStoreHasNoState() {
        assertThatThrownBy(lease::state)
                .isInstanceOf(IllegalStateException.class)
                .isNotInstanceOf(NotHolderException.class)
                .hasMessage("Lease orders has no state store");
    }
}
