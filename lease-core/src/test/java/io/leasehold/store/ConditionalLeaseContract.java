package io.leasehold.store;

import static io.leasehold.store.LeaseRecords.EXPIRES_AT;
import static io.leasehold.store.LeaseRecords.TTL;
import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the one conditional write of a lease on a server promises. Each back end runs it. */
public abstract class ConditionalLeaseContract {
    private static final LeaseRecord THERE = new LeaseRecord("a", "claim", 7, 3, TTL, EXPIRES_AT, false);
    private static final LeaseRecord NEXT = claim("b", 8);

    /** Another process's handle on the one lease of a test, which nobody has held before. */
    protected abstract ConditionalLeaseStore newHandle() throws Exception;

    /** Each differs from what is there in one part. */
    static Stream<LeaseRecord> others() {
        return Stream.of(
                new LeaseRecord("c", "claim", 7, 3, TTL, EXPIRES_AT, false),
                new LeaseRecord("a", "another claim", 7, 3, TTL, EXPIRES_AT, false),
                new LeaseRecord("a", "claim", 6, 3, TTL, EXPIRES_AT, false),
                new LeaseRecord("a", "claim", 7, 2, TTL, EXPIRES_AT, false),
                new LeaseRecord("a", "claim", 7, 3, TTL.plusSeconds(1), EXPIRES_AT, false),
                new LeaseRecord("a", "claim", 7, 3, TTL, EXPIRES_AT.plusMillis(1), false),
                new LeaseRecord("a", "claim", 7, 3, TTL, EXPIRES_AT, true));
    }

    @ParameterizedTest
    @MethodSource("others")
    void aWriteIsRefusedWhereAnyPartIsNotAsExpected(LeaseRecord other) throws Exception {
        ConditionalLeaseStore writer = newHandle();
        assertThat(writer.write(writer.read(), other)).isTrue();
        ConditionalLeaseStore store = newHandle();
        LeaseSnapshot expected = store.read();
        assertThat(writer.write(writer.read(), THERE)).isTrue();
        requireRefused(store, expected);
    }

    @Test
    void aWriteThatExpectsNothingIsRefusedWhereSomethingIs() throws Exception {
        ConditionalLeaseStore store = newHandle();
        LeaseSnapshot expected = store.read();
        ConditionalLeaseStore writer = newHandle();
        assertThat(writer.write(writer.read(), THERE)).isTrue();
        requireRefused(store, expected);
    }

    /** By a process whose last look showed what it expects, by one that has looked since, and by one that never did. */
    private void requireRefused(ConditionalLeaseStore store, LeaseSnapshot expected) throws Exception {
        assertThat(store.write(expected, NEXT)).isFalse();
        assertThat(store.read().record()).isEqualTo(THERE);
        assertThat(store.write(expected, NEXT)).isFalse();
        assertThat(newHandle().write(expected, NEXT)).isFalse();
        assertThat(store.read().record()).isEqualTo(THERE);
    }

    @Test
    void aWriteReplacesWhatAnotherProcessSaw() throws Exception {
        ConditionalLeaseStore writer = newHandle();
        assertThat(writer.write(writer.read(), THERE)).isTrue();
        ConditionalLeaseStore store = newHandle();
        assertThat(store.write(writer.read(), NEXT)).isTrue();
        assertThat(writer.read().record()).isEqualTo(NEXT);
    }
}
