package io.leasehold.store;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.released;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.Closeable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every lease store promises to one contender after another. Each back end runs it. */
public abstract class LeaseStoreContract {
    private LeaseStore a;
    private LeaseStore b;

    /** Another process's handle on the one lease of a test, which nobody has held before. */
    protected abstract LeaseStore newHandle() throws Exception;

    /** The highest epoch that the store can hold. */
    protected long highestEpoch() {
        return Long.MAX_VALUE;
    }

    @BeforeEach
    void openTwoHandles() throws Exception {
        a = newHandle();
        b = newHandle();
        a.initialize();
    }

    private LeaseRecord held(LeaseStore store, LeaseRecord record) throws LeaseStoreException {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    @Test
    void anInitializedLeaseHasAnIdAndNoEpoch() throws Exception {
        LeaseSnapshot found = b.read();
        assertThat(found.leaseId()).isNotBlank();
        assertThat(found).isEqualTo(LeaseSnapshot.empty(found.leaseId()));
    }

    @Test
    void initializingALeaseAgainKeepsItsId() throws Exception {
        LeaseSnapshot before = a.read();
        b.initialize();
        a.initialize();
        assertThat(b.read()).isEqualTo(before);
    }

    @Test
    void initializingALeaseThatIsHeldChangesNothing() throws Exception {
        held(a, claim("a", 1));
        LeaseSnapshot before = a.read();
        b.initialize();
        assertThat(b.read()).isEqualTo(before);
    }

    @Test
    void theFirstClaimIsConfirmedAndOthersReadIt() throws Exception {
        LeaseRecord record = held(a, claim("a", 1));
        LeaseSnapshot found = b.read();
        assertThat(found.epoch()).isEqualTo(1);
        assertThat(found.record()).isEqualTo(record);
        assertThat(found.ttl()).isEqualTo(record.ttl());
        assertThat(found.contents()).isNotEmpty();
    }

    @Test
    void theSecondClaimOfAnEpochIsSupersededAndLeavesTheFirst() throws Exception {
        LeaseSnapshot empty = b.read();
        LeaseRecord first = held(a, claim("a", 1));
        assertThat(b.replace(empty, claim("b", 1))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(b.read().record()).isEqualTo(first);
    }

    @Test
    void aClaimOfAnEpochThatIsNotNewIsSuperseded() throws Exception {
        LeaseRecord fifth = held(a, claim("a", 5));
        assertThat(b.replace(b.read(), claim("b", 5))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(b.replace(b.read(), claim("b", 3))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(b.read().record()).isEqualTo(fifth);
    }

    @Test
    void aClaimIsConfirmedWhereThePredecessorIsAsObserved() throws Exception {
        held(a, renewed(held(a, claim("a", 1))));
        LeaseRecord next = held(b, claim("b", 2));
        assertThat(a.read().record()).isEqualTo(next);
    }

    @Test
    void aClaimIsNotConfirmedWhereThePredecessorRenewedMeanwhile() throws Exception {
        LeaseRecord first = held(a, claim("a", 1));
        LeaseSnapshot observed = b.read();
        held(a, renewed(first));
        assertThat(b.replace(observed, claim("b", 2))).isNotEqualTo(WriteOutcome.CONFIRMED);
        assertThat(Objects.requireNonNull(a.read().record()).released()).isFalse();
    }

    @Test
    void aClaimIsNotConfirmedWhereThePredecessorReleasedMeanwhile() throws Exception {
        LeaseRecord first = held(a, claim("a", 1));
        LeaseSnapshot observed = b.read();
        held(a, released(first));
        assertThat(b.replace(observed, claim("b", 2))).isNotEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aClaimIsNotConfirmedWhereSomebodyClaimedSinceTheLook() throws Exception {
        LeaseSnapshot empty = b.read();
        held(a, claim("a", 1));
        assertThat(b.replace(empty, claim("b", 2))).isNotEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aClaimIsNotConfirmedWhereAnotherSkippedAheadOfIt() throws Exception {
        LeaseSnapshot empty = b.read();
        LeaseRecord ninth = held(a, claim("a", 9));
        assertThat(b.replace(empty, claim("b", 2))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(b.read().record()).isEqualTo(ninth);
    }

    @ParameterizedTest
    @ValueSource(longs = {8, 9007199254740993L, Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void epochsMayBeSkippedAndAreExact(long skippedTo) throws Exception {
        long epoch = Math.min(skippedTo, highestEpoch());
        held(a, claim("a", 1));
        LeaseRecord next = held(b, claim("b", epoch));
        assertThat(a.read().epoch()).isEqualTo(epoch);
        assertThat(a.read().record()).isEqualTo(next);
    }

    @Test
    void aLeaseThatNobodyWritesLooksUnchanged() throws Exception {
        held(a, claim("a", 1));
        assertThat(b.read().unchangedFrom(a.read())).isTrue();
        assertThat(b.read()).isEqualTo(a.read());
    }

    @Test
    void everyRenewChangesTheContents() throws Exception {
        LeaseRecord first = held(a, claim("a", 1));
        LeaseSnapshot claimed = b.read();
        LeaseRecord second = held(a, first.renewed(1, first.ttl(), first.expiresAt()));
        LeaseSnapshot renewed = b.read();
        assertThat(renewed.record()).isEqualTo(second);
        assertThat(renewed.unchangedFrom(claimed)).isFalse();
        held(a, second.renewed(2, second.ttl(), second.expiresAt()));
        assertThat(b.read().unchangedFrom(renewed)).isFalse();
    }

    @Test
    void aRenewNamesItsOwnTtl() throws Exception {
        LeaseRecord first = held(a, claim("a", 1));
        held(a, first.renewed(1, Duration.ofMillis(1500), Instant.parse("2026-01-01T00:00:01.500Z")));
        assertThat(b.read().ttl()).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void aRenewIsSupersededByAHigherEpochAndChangesNothingOfIt() throws Exception {
        LeaseRecord first = held(a, claim("a", 1));
        LeaseSnapshot own = a.read();
        held(b, claim("b", 2));
        LeaseSnapshot successors = b.read();
        assertThat(a.replace(own, renewed(first))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(b.read()).isEqualTo(successors);
    }

    @Test
    void aLateReleaseIsSupersededAndChangesNothingOfTheSuccessor() throws Exception {
        LeaseRecord first = held(a, claim("a", 3));
        LeaseSnapshot own = a.read();
        held(b, claim("b", 4));
        LeaseSnapshot successors = b.read();
        assertThat(a.replace(own, released(first))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(b.read()).isEqualTo(successors);
    }

    @Test
    void aReleaseIsReadByOthersAndCanBeClaimed() throws Exception {
        LeaseRecord gone = held(a, released(renewed(held(a, claim("a", 1)))));
        assertThat(b.read().record()).isEqualTo(gone);
        assertThat(Objects.requireNonNull(b.read().record()).released()).isTrue();
        held(b, claim("b", 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\"quoted\" \\ 'single'", "../7.json", "a\nb\tc", "Zoë 日本 \uD83D\uDE80", "{}"})
    void theHolderMayBeAnyText(String holder) throws Exception {
        LeaseRecord record = held(a, claim(holder, 1));
        assertThat(b.read().record()).isEqualTo(record);
    }

    @Test
    void aWatchCanBeClosedMoreThanOnce() throws Exception {
        Closeable watch = a.watch(() -> {});
        Closeable other = a.watch(() -> {});
        watch.close();
        watch.close();
        other.close();
        other.close();
    }

    @Test
    void everyHandleNamesTheSamePlace() {
        assertThat(a.location()).isNotBlank().isEqualTo(b.location());
    }
}
