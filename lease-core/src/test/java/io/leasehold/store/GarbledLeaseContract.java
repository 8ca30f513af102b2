package io.leasehold.store;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lease store promises whose contents can be damaged from outside. Each such back end runs it. */
public abstract class GarbledLeaseContract {
    private LeaseStore store;
    private LeaseRecord held;

    /** A handle on the one lease of a test, which nobody has held before. */
    protected abstract LeaseStore newHandle() throws Exception;

    /** Replaces the contents of an epoch, not its number, by some text that is no record. */
    protected abstract void garble(long epoch, String contents) throws Exception;

    @BeforeEach
    void hold() throws Exception {
        store = newHandle();
        store.initialize();
        LeaseRecord older = new LeaseRecord(
                "a", "older", 6, 0, Duration.ofMinutes(5), Instant.parse("2026-01-01T00:05:00Z"), false);
        assertThat(store.replace(store.read(), older)).isEqualTo(WriteOutcome.CONFIRMED);
        held = claim("a", 7);
        assertThat(store.replace(store.read(), held)).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void garbledContentsAreContentsOfTheirEpoch() throws Exception {
        garble(7, "not json");
        LeaseSnapshot found = store.read();
        assertThat(found.epoch()).isEqualTo(7);
        assertThat(found.record()).isNull();
        assertThat(found.contents()).isNotEmpty();
        assertThat(newHandle().read().unchangedFrom(found)).isTrue();
    }

    @Test
    void otherGarbageIsAChange() throws Exception {
        garble(7, "not json");
        LeaseSnapshot found = store.read();
        garble(7, "not yet json");
        assertThat(store.read().unchangedFrom(found)).isFalse();
    }

    @Test
    void garbledContentsCanBeTakenOver() throws Exception {
        garble(7, "not json");
        LeaseStore other = newHandle();
        assertThat(other.replace(other.read(), claim("b", 8))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aClaimIsNotConfirmedWhereItsPredecessorWasGarbledMeanwhile() throws Exception {
        LeaseStore other = newHandle();
        LeaseSnapshot observed = other.read();
        garble(7, "not json");
        assertThat(other.replace(observed, claim("b", 8))).isNotEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aHolderWritesItsGarbledRecordAnew() throws Exception {
        LeaseSnapshot own = store.read();
        garble(7, "not json");
        assertThat(store.replace(own, renewed(held))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(newHandle().read().record()).isEqualTo(renewed(held));
    }

    @Test
    void whereTheContentsNameNoTtlWhatIsLeftOfThemOrOlderEpochsMay() throws Exception {
        garble(7, "not json");
        assertThat(store.read().ttl()).isIn(Duration.ZERO, LeaseRecords.TTL, Duration.ofMinutes(5));
    }
}
