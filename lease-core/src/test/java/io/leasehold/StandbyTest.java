package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a standby claims, and when it waits. */
class StandbyTest {
    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RENEW = Duration.ofSeconds(2);

    @TempDir
    Path parent;

    private final ManualClock clock = new ManualClock();
    private LeaseDirectory directory;
    private Contender standby;

    @BeforeEach
    void standBy() {
        directory = new LeaseDirectory(parent);
        standby = contender("standby", TTL);
        Contender first = contender("first", TTL);
        first.settle();
        directory.delete(directory.file(1));
    }

    private Contender contender(String id, Duration ttl) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(ttl)
                .renewInterval(RENEW)
                .drainTimeout(Duration.ZERO)
                .build();
        return new Contender(id, settings, directory.store(), null, clock);
    }

    private String wall(Duration fromNow) {
        return Instant.ofEpochMilli(clock.currentTimeMillis()).plus(fromNow).toString();
    }

    private void assertTakesOverAfter(Duration wait, long epoch) {
        standby.pass(wait.minus(MILLI));
        assertThat(standby.isHeld()).isFalse();
        standby.pass(MILLI);
        assertThat(standby.isHeld()).isTrue();
        assertThat(standby.lease().epoch()).isEqualTo(epoch);
    }

    @Test
    void anEmptyLeaseIsClaimedAtOnce() {
        standby.settle();
        assertThat(standby.lease().epoch()).isEqualTo(1);
    }

    @Test
    void standbyWaitsAFullTtlAfterTheLastChange() {
        directory.write(4, 1, "PT10S", wall(TTL), false);
        standby.pass(Duration.ofSeconds(8));
        directory.write(4, 2, "PT10S", wall(TTL), false);
        standby.settle();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void standbyWaitsTheTtlThatTheRecordNames() {
        directory.write(4, 1, "PT25S", wall(TTL), false);
        standby.settle();
        assertTakesOverAfter(Duration.ofSeconds(25), 5);
    }

    @Test
    void standbyComparesNoClockWithTheHolders() {
        directory.write(4, 1, "PT10S", wall(Duration.ofHours(2)), false);
        standby.settle();
        clock.advanceWall(Duration.ofHours(1));
        standby.settle();
        assertThat(standby.isHeld()).isFalse();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void aChangeIsDatedAfterTheReadThatShowsIt() {
        directory.write(4, 1, "PT10S", wall(TTL), false);
        standby.store.afterRead = () -> clock.advance(Duration.ofSeconds(3));
        standby.election.step();
        standby.store.afterRead = () -> {};
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void expiryIsJudgedByTheTimeBeforeTheRead() {
        directory.write(4, 1, "PT10S", wall(TTL), false);
        standby.settle();
        clock.advance(TTL.minus(SECOND));
        standby.store.beforeRead = () -> clock.advance(SECOND.multipliedBy(2));
        standby.election.step();
        assertThat(standby.isHeld()).isFalse();
        standby.election.step();
        assertThat(standby.isHeld()).isTrue();
    }

    @Test
    void aFailedReadNeitherClaimsNorForgetsWhatWasSeen() {
        directory.write(4, 1, "PT10S", wall(TTL), false);
        standby.settle();
        standby.store.readsFail = true;
        standby.pass(TTL.multipliedBy(2));
        assertThat(standby.isHeld()).isFalse();
        assertThat(standby.status().reachable()).isFalse();
        assertThat(standby.store.writes).isZero();
        standby.store.readsFail = false;
        standby.pass(SECOND);
        assertThat(standby.lease().epoch()).isEqualTo(5);
    }

    @Test
    void aReleasedLeaseIsClaimedAtOnce() {
        directory.write(4, 3, "PT10S", wall(TTL), true);
        standby.settle();
        assertThat(standby.lease().epoch()).isEqualTo(5);
    }

    @Test
    void standbyWakesWhenTheLeaseCanExpire() {
        directory.write(4, 1, "PT5S", wall(TTL), false);
        standby.election.step();
        assertThat(standby.election.step()).isEqualTo(RENEW.toNanos());
        clock.advance(Duration.ofSeconds(4));
        assertThat(standby.election.step()).isEqualTo(SECOND.toNanos());
    }

    @Test
    void aLeaseThatDiedLongAgoCostsAFreshProcessNoWait() {
        directory.write(4, 1, "PT10S", wall(Duration.ofSeconds(-61)), false);
        standby.settle();
        assertThat(standby.lease().epoch()).isEqualTo(5);
    }

    @Test
    void anExpiryBeyondAllTimesIsAnExpiryLikeAnyOther() {
        directory.write(4, 1, "PT10S", Instant.MAX.toString(), false);
        standby.settle();
        assertThat(standby.status().reachable()).isTrue();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void aLeaseThatExpiredWithinTheClockSkewIsWaitedFor() {
        directory.write(4, 1, "PT10S", wall(Duration.ofMinutes(-1)), false);
        standby.settle();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void aBareClaimThatDiedLongAgoIsWaitedFor() {
        directory.write(4, 0, "PT10S", wall(Duration.ofHours(-1)), false);
        standby.settle();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void onlyTheFirstLookOfAProcessTrustsTheWallClock() {
        directory.write(4, 1, "PT10S", wall(TTL), false);
        standby.settle();
        directory.write(4, 2, "PT10S", wall(Duration.ofHours(-1)), false);
        standby.settle();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void contentsThatCannotBeUnderstoodAreWaitedForTheLongestTtlKnown() {
        directory.write(3, 1, "PT25S", wall(TTL), false);
        directory.write(4, "");
        standby.settle();
        assertTakesOverAfter(Duration.ofSeconds(25), 5);
    }

    @Test
    void contentsThatCannotBeUnderstoodAndChangeAreContents() {
        directory.write(4, "{");
        standby.pass(Duration.ofSeconds(8));
        directory.write(4, "{{");
        standby.settle();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void aClaimNamesTheLargerOfItsOwnTtlAndItsPredecessors() {
        directory.write(4, 3, "PT25S", wall(TTL), true);
        standby.settle();
        assertThat(directory.read(5)).contains("\"ttl\":\"PT25S\"");
        standby.pass(RENEW);
        assertThat(directory.read(5)).contains("\"ttl\":\"PT10S\"");
    }

    @Test
    void theDeadlineOfAClaimFollowsFromTheOwnTtl() {
        directory.write(4, 3, "PT25S", wall(TTL), true);
        standby.settle();
        assertThat(standby.lease().remaining()).isEqualTo(Duration.ofMillis(9_800));
    }

    @Test
    void epochsBelowOneSeenBeforeAreAChangeThatLastsATtl() {
        directory.write(4, 1, "PT10S", wall(TTL), false);
        standby.pass(SECOND);
        directory.delete(directory.file(4));
        directory.write(2, 9, "PT10S", wall(Duration.ofHours(-1)), true);
        standby.settle();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void emptinessAfterSomethingWasSeenIsAChangeThatLastsATtl() {
        directory.write(4, 1, "PT10S", wall(TTL), false);
        standby.pass(SECOND);
        directory.deleteEpochs();
        standby.settle();
        assertTakesOverAfter(TTL, 5);
    }

    @Test
    void aClaimThatIsAnsweredTooLateDoesNotLead() {
        standby.store.afterWrite = () -> clock.advance(TTL.multipliedBy(2));
        standby.election.step();
        assertThat(standby.election.phase()).isEqualTo(LeasePhase.STANDBY);
        assertThat(standby.calls).isEmpty();
    }

    @Test
    void aClaimWhosePredecessorHasChangedIsGivenUpAndNotReleased() {
        directory.write(4, 3, "PT10S", wall(TTL), true);
        standby.store.beforeWrite = () -> directory.write(4, 4, "PT10S", wall(TTL), false);
        standby.settle();
        assertThat(standby.isHeld()).isFalse();
        assertThat(directory.read(5)).contains("\"released\":false");
        standby.store.beforeWrite = () -> {};
        assertTakesOverAfter(TTL, 6);
    }

    @Test
    void theLastEpochIsRefusedLoudlyAndNeverWrapsAround() {
        directory.write(Long.MAX_VALUE, 3, "PT10S", wall(Duration.ofHours(-1)), true);
        standby.pass(TTL.multipliedBy(2));
        assertThat(standby.isHeld()).isFalse();
        assertThat(standby.store.writes).isZero();
        assertThat(standby.status().lastFailure()).contains("last epoch");
    }

    @Test
    void aProcessThatSteppedDownContendsAgainAfterATtl() {
        standby.settle();
        standby.election.stepDown();
        standby.settle();
        assertThat(directory.read(1)).contains("\"released\":true");
        assertTakesOverAfter(TTL, 2);
    }

    @Test
    void aProcessThatSteppedDownContendsAgainWhenAnotherHasLed() {
        standby.settle();
        standby.election.stepDown();
        standby.settle();
        Contender other = contender("other", TTL);
        other.settle();
        other.pass(RENEW);
        standby.settle();
        other.election.close();
        other.settle();
        standby.settle();
        standby.pass(RENEW);
        assertThat(standby.lease().epoch()).isEqualTo(3);
    }
}
