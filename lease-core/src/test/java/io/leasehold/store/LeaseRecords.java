package io.leasehold.store;

import java.time.Duration;
import java.time.Instant;

/** Records as an election writes them. */
public final class LeaseRecords {
    public static final Duration TTL = Duration.ofSeconds(30);
    public static final Instant EXPIRES_AT = Instant.parse("2026-01-01T00:00:30.123Z");

    private LeaseRecords() {}

    /** The record that claims an epoch; no other holder's claim is like it. */
    public static LeaseRecord claim(String holder, long epoch) {
        return new LeaseRecord(holder, "claim of " + epoch + " by " + holder, epoch, 0, TTL, EXPIRES_AT, false);
    }

    /** The record that the holder writes next. */
    public static LeaseRecord renewed(LeaseRecord record) {
        return record.renewed(record.sequence() + 1, TTL, record.expiresAt().plusSeconds(5));
    }

    /** The record that gives the term up. */
    public static LeaseRecord released(LeaseRecord record) {
        return record.released(record.sequence() + 1);
    }
}
