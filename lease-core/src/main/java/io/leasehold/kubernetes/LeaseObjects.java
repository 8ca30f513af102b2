package io.leasehold.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.leasehold.json.Json;
import io.leasehold.store.LeaseRecord;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record in a Lease object: whole in an annotation, and in the spec as every election on Leases reads and writes it. The
 * spec counts: an election that knows no annotation keeps it while it writes the spec.
 */
final class LeaseObjects {
    /** The annotation that holds the record. */
    static final String ANNOTATION = "leasehold.io/lease";

    /** The highest number that leaseTransitions can hold. */
    static final long HIGHEST_EPOCH = Integer.MAX_VALUE;

    private LeaseObjects() {}

    /**
     * What a Lease says.
     *
     * @param epoch at least 1, and no lower than any of the numbers in it
     * @param record the term; null where it cannot be understood
     * @param ttl what it names, zero where it names none
     */
    record Reading(long epoch, @Nullable LeaseRecord record, Duration ttl) {}

    static Reading read(Lease lease) {
        LeaseSpec spec = lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
        String text = annotation(lease);
        LeaseRecord written = text == null ? null : parse(text);
        long epoch = Math.max(1, Math.max(transitions(spec), written == null ? 0 : written.epoch()));
        LeaseRecord record = record(spec, text != null, written, epoch);
        return new Reading(epoch, record, record == null ? duration(spec) : record.ttl());
    }

    /** The Lease with the record in it; whatever else it holds stays. */
    static Lease write(Lease before, LeaseRecord next) {
        LeaseSpec spec = before.getSpec();
        ZonedDateTime acquired = spec == null ? null : spec.getAcquireTime();
        boolean sameTerm = next.sequence() > 0 && spec != null && transitions(spec) == next.epoch();
        ZonedDateTime renewed = renewTime(next);
        return new LeaseBuilder(before)
                .editOrNewMetadata()
                .addToAnnotations(ANNOTATION, new String(Json.write(next), StandardCharsets.UTF_8))
                .endMetadata()
                .editOrNewSpec()
                .withHolderIdentity(identity(next))
                .withLeaseDurationSeconds(seconds(next.ttl()))
                .withLeaseTransitions(Math.toIntExact(next.epoch()))
                .withAcquireTime(sameTerm && acquired != null ? acquired : renewed)
                .withRenewTime(renewed)
                .endSpec()
                .build();
    }

    /** All that can change with a write of any election, as text. */
    static String contents(Lease lease, KubernetesSerialization serialization) {
        return serialization.asJson(lease.getSpec()) + "\n" + annotation(lease);
    }

    private static @Nullable String annotation(Lease lease) {
        ObjectMeta metadata = lease.getMetadata();
        return metadata == null || metadata.getAnnotations() == null
                ? null
                : metadata.getAnnotations().get(ANNOTATION);
    }

    private static @Nullable LeaseRecord parse(String text) {
        try {
            LeaseRecord record = Json.readLease(text.getBytes(StandardCharsets.UTF_8));
            ZonedDateTime unused = renewTime(record);
            return record.epoch() > HIGHEST_EPOCH ? null : record;
        } catch (Json.UnreadableException | DateTimeException e) {
            return null;
        }
    }

    /** Ours where annotation and spec agree; another election's where it wrote the whole spec; else nothing to rely on. */
    private static @Nullable LeaseRecord record(
            LeaseSpec spec, boolean annotated, @Nullable LeaseRecord written, long epoch) {
        if (written != null && agrees(spec, written)) {
            return written;
        }
        if (!annotated) {
            return foreign(spec, epoch);
        }
        boolean rewritten = written != null && isWhole(spec) && !sameTime(spec, written);
        return rewritten ? foreign(spec, epoch) : null;
    }

    private static boolean agrees(LeaseSpec spec, LeaseRecord written) {
        return transitions(spec) == written.epoch()
                && identity(written).equals(spec.getHolderIdentity())
                && Objects.equals(spec.getLeaseDurationSeconds(), seconds(written.ttl()))
                && sameTime(spec, written);
    }

    private static boolean isWhole(LeaseSpec spec) {
        return spec.getHolderIdentity() != null
                && spec.getLeaseTransitions() != null
                && spec.getLeaseDurationSeconds() != null
                && spec.getAcquireTime() != null
                && spec.getRenewTime() != null;
    }

    private static boolean sameTime(LeaseSpec spec, LeaseRecord written) {
        return spec.getRenewTime() != null
                && spec.getRenewTime().toInstant().equals(renewTime(written).toInstant());
    }

    /**
     * A term of another election: whoever it names holds it for as long as it says. An empty name is what elections leave
     * when they release; a name that is missing says nothing.
     */
    private static @Nullable LeaseRecord foreign(LeaseSpec spec, long epoch) {
        String holder = spec.getHolderIdentity();
        if (holder == null) {
            return null;
        }
        boolean released = holder.isBlank();
        Duration ttl = duration(spec);
        if (!released && ttl.isZero()) {
            return null;
        }
        if (ttl.isZero()) {
            ttl = Duration.ofSeconds(1);
        }
        Instant expiresAt = spec.getRenewTime() == null
                ? Instant.MAX
                : spec.getRenewTime().toInstant().plus(ttl);
        return new LeaseRecord(holder, "of another election", epoch, 1, ttl, expiresAt, released);
    }

    private static long transitions(LeaseSpec spec) {
        return spec.getLeaseTransitions() == null ? 0 : spec.getLeaseTransitions();
    }

    private static Duration duration(LeaseSpec spec) {
        return spec.getLeaseDurationSeconds() == null
                ? Duration.ZERO
                : Duration.ofSeconds(Math.max(0, spec.getLeaseDurationSeconds()));
    }

    /** A holder without a visible name is shown by its claim: nobody may take its lease for one that nobody holds. */
    private static String identity(LeaseRecord record) {
        if (record.released()) {
            return "";
        }
        return record.holder().isBlank() ? record.claim() : record.holder();
    }

    private static int seconds(Duration ttl) {
        long seconds = ttl.plusNanos(999_999_999).toSeconds();
        return (int) Math.min(Math.max(1, seconds), Integer.MAX_VALUE);
    }

    /** The time of the write by the holder's clock, as exact as a Lease holds it. */
    private static ZonedDateTime renewTime(LeaseRecord record) {
        return record.expiresAt()
                .minus(record.ttl())
                .truncatedTo(ChronoUnit.MICROS)
                .atZone(ZoneOffset.UTC);
    }
}
