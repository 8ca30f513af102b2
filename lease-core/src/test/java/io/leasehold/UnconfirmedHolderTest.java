package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.leasehold.LeaseCounts.RenewOutcome;
import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStoreOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The holder that cannot confirm, with a drain timeout of zero: a ttl is the time to the deadline. */
class UnconfirmedHolderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration VERIFY = Duration.ofMillis(200);
    private static final Duration RENEW = Duration.ofSeconds(2);
    private static final Duration TTL = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    private final ManualClock clock = new ManualClock();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private Contender holder;

    @BeforeEach
    void acquire() {
        holder = contender("old");
        holder.settle();
        assertThat(holder.isHeld()).isTrue();
        log.start();
        logger().addAppender(log);
    }

    @AfterEach
    void stopLog() {
        logger().detachAppender(log);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.leasehold");
    }

    private Contender contender(String id) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(TTL)
                .renewInterval(RENEW)
                .drainTimeout(Duration.ZERO)
                .verifyDelay(VERIFY)
                .build();
        return new Contender(
                id, settings, FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS), null, clock);
    }

    private Path file(long epoch) {
        return directory.resolve(epoch + ".json");
    }

    private String claim(long epoch, String by) throws IOException {
        String contents = "{\"holder\":\"" + by + "\",\"claim\":\"c" + epoch + "\",\"epoch\":" + epoch
                + ",\"sequence\":0,\"ttl\":\"PT10S\",\"expires_at\":\"2026-01-01T00:00:30Z\",\"released\":false}";
        Files.writeString(file(epoch), contents);
        return contents;
    }

    private long warnings() {
        return log.list.stream().filter(event -> event.getLevel() == Level.WARN).count();
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.currentTimeMillis());
    }

    @Test
    void lastConfirmedAdvancesOnlyOnConfirmedRenews() {
        Instant claimed = now();
        assertThat(holder.status().lastConfirmed()).isEqualTo(claimed);
        holder.pass(RENEW);
        assertThat(holder.status().lastConfirmed()).isEqualTo(now());
        Instant confirmed = now();

        holder.store.readsFail = true;
        holder.store.write = FaultyLeaseStore.Write.CANNOT_BE_CONFIRMED;
        holder.pass(RENEW.multipliedBy(2));
        assertThat(holder.status().lastConfirmed()).isEqualTo(confirmed);
        assertThat(holder.status().sinceConfirmed()).isEqualTo(RENEW.multipliedBy(2));

        holder.store.write = FaultyLeaseStore.Write.FAILS;
        holder.pass(SECOND);
        assertThat(holder.status().lastConfirmed()).isEqualTo(confirmed);
    }

    @Test
    void aFailedReadATtlAfterTheLastConfirmedRenewSurrendersWithoutAPauseOrAWrite() {
        int writes = holder.store.writes;
        clock.advance(RENEW);
        holder.store.readsFail = true;
        holder.store.beforeRead = () -> clock.advance(TTL);
        int reads = holder.store.reads;
        holder.election.step();
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 EXPIRED");
        assertThat(holder.store.reads).isEqualTo(reads + 1);
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(holder.election.phase()).isEqualTo(LeasePhase.STANDBY);
    }

    @Test
    void aFailedVerifyReadATtlAfterTheLastConfirmedRenewSurrendersWithoutAWrite() {
        int writes = holder.store.writes;
        clock.advance(RENEW);
        holder.store.readsFail = true;
        assertThat(holder.election.step()).isEqualTo(VERIFY.toNanos());
        clock.advance(TTL.minus(RENEW).minus(VERIFY).minusMillis(201));
        holder.store.beforeRead = () -> clock.advance(SECOND);
        holder.election.step();
        assertThat(holder.isHeld()).isFalse();
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(holder.calls).endsWith("surrendered 1 EXPIRED");
    }

    @Test
    void twoFailedReadsInsideTheTtlStillRenewWithOneWarning() {
        holder.pass(RENEW);
        holder.store.readsToFail = 2;
        holder.pass(RENEW.plus(VERIFY));
        assertThat(holder.isHeld()).isTrue();
        assertThat(holder.status().lastConfirmed()).isEqualTo(now());
        assertThat(holder.status().unverifiedRenews()).isZero();
        assertThat(warnings()).isEqualTo(1);
    }

    @Test
    void aRenewWhoseListingFailsTooIsCountedAsUnverified() {
        holder.store.readsFail = true;
        holder.store.write = FaultyLeaseStore.Write.CANNOT_BE_CONFIRMED;
        holder.pass(RENEW.plus(VERIFY));
        assertThat(holder.isHeld()).isTrue();
        assertThat(holder.status().unverifiedRenews()).isEqualTo(1);
        assertThat(holder.status().unverifiedStreak()).isEqualTo(1);
        assertThat(holder.counters.counts().renewals()).containsEntry(RenewOutcome.UNVERIFIED, 1L);
        holder.pass(RENEW.plus(VERIFY));
        assertThat(holder.status().unverifiedStreak()).isEqualTo(2);
        assertThat(warnings()).isEqualTo(1);

        holder.store.readsFail = false;
        holder.store.write = FaultyLeaseStore.Write.PASSES;
        holder.pass(RENEW);
        assertThat(holder.status().unverifiedRenews()).isEqualTo(2);
        assertThat(holder.status().unverifiedStreak()).isZero();
    }

    @Test
    void aHolderThatCannotReadNeverOverwritesItsSuccessor() throws IOException {
        for (long epoch = 2; epoch <= 5; epoch++) {
            holder = succeed(epoch);
        }
        holder.pass(RENEW);
        holder.store.readsFail = true;
        holder.store.write = FaultyLeaseStore.Write.CANNOT_BE_CONFIRMED;
        int writes = holder.store.writes;
        String standby = claim(6, "standby");
        String own = Files.readString(file(5));
        clock.advance(TTL);
        holder.settle();
        assertThat(holder.calls).containsExactly("acquired 5", "surrendered 5 EXPIRED");
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(file(6)).hasContent(standby);
        assertThat(file(5)).hasContent(own);
    }

    /** Closes the holder and lets another one take the next epoch. */
    private Contender succeed(long epoch) {
        holder.election.close();
        holder.settle();
        Contender next = contender("old-" + epoch);
        next.settle();
        assertThat(next.lease().epoch()).isEqualTo(epoch);
        return next;
    }

    @Test
    void aHolderFrozenPastItsTtlSurrendersOnItsFirstStep() {
        clock.advance(TTL);
        assertSurrendersOnItsFirstStep();
    }

    @Test
    void aHolderWhoseWallClockAloneJumpedSurrendersOnItsFirstStep() {
        clock.advanceWall(TTL);
        assertSurrendersOnItsFirstStep();
    }

    @Test
    void aHolderWhoseMonotonicClockAloneJumpedSurrendersOnItsFirstStep() {
        clock.advanceMonotonic(TTL);
        assertSurrendersOnItsFirstStep();
    }

    private void assertSurrendersOnItsFirstStep() {
        int reads = holder.store.reads;
        int writes = holder.store.writes;
        holder.store.readsFail = true;
        holder.election.step();
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 EXPIRED");
        assertThat(holder.isHeld()).isFalse();
        assertThat(holder.store.reads).isEqualTo(reads);
        assertThat(holder.store.writes).isEqualTo(writes);
    }

    @Test
    void aWallClockThatIsSetBackDoesNotProlongTheTerm() {
        clock.advanceWall(Duration.ofHours(-1));
        holder.store.readsFail = true;
        holder.store.write = FaultyLeaseStore.Write.FAILS;
        holder.pass(TTL);
        assertThat(holder.isHeld()).isFalse();
    }

    @Test
    void aLostAnswerToAWriteIsConfirmedByReadingTheWriteBackWithTheTimeBeforeIt() {
        holder.pass(RENEW.minusMillis(1));
        holder.store.write = FaultyLeaseStore.Write.LOSES_ITS_ANSWER;
        holder.pass(Duration.ofMillis(1));
        Instant begun = now();
        assertThat(holder.counters.counts().renewals()).containsEntry(RenewOutcome.FAILED, 1L);
        holder.store.write = FaultyLeaseStore.Write.PASSES;
        int writes = holder.store.writes;
        holder.pass(VERIFY);
        assertThat(holder.status().lastConfirmed()).isEqualTo(begun);
        assertThat(holder.store.writes).isEqualTo(writes);
    }

    @Test
    void aFailedWriteIsTriedAgainWithAHigherSequence() throws IOException {
        holder.store.write = FaultyLeaseStore.Write.FAILS;
        holder.pass(RENEW);
        holder.store.write = FaultyLeaseStore.Write.PASSES;
        holder.pass(VERIFY);
        assertThat(file(1)).content().contains("\"sequence\":2");
        assertThat(holder.status().lastConfirmed()).isEqualTo(now());
    }

    @Test
    void aRenewThatIsConfirmedAfterTheDeadlineDoesNotReviveTheTerm() {
        clock.advance(RENEW);
        holder.store.afterWrite = () -> clock.advance(TTL);
        holder.election.step();
        assertThat(holder.isHeld()).isFalse();
        holder.settle();
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 EXPIRED");
    }

    @Test
    void theDeadlineCountsFromTheTimeBeforeTheWrite() {
        clock.advance(RENEW);
        holder.store.afterWrite = () -> clock.advance(SECOND);
        holder.election.step();
        assertThat(holder.status().sinceConfirmed()).isEqualTo(SECOND);
    }

    @Test
    void aReadThatTakesLongerThanTheTermIsFollowedByNoWrite() {
        int writes = holder.store.writes;
        clock.advance(RENEW);
        holder.store.afterRead = () -> clock.advance(TTL);
        holder.election.step();
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 EXPIRED");
    }
}
