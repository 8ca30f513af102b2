package io.leasehold.kubernetes;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.released;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import io.leasehold.json.Json;
import io.leasehold.store.LeaseRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseObjectsTest {
    private static final ZonedDateTime RENEWED = ZonedDateTime.of(2026, 1, 1, 0, 0, 10, 123_456_000, ZoneOffset.UTC);
    private static final LeaseRecord OURS = renewed(claim("host-1-4711-9f3c2a", 5));

    /** What may be missing of a spec. */
    enum Field {
        HOLDER,
        TRANSITIONS,
        DURATION,
        ACQUIRED,
        RENEWED;

        void clear(LeaseSpec spec) {
            switch (this) {
                case HOLDER -> spec.setHolderIdentity(null);
                case TRANSITIONS -> spec.setLeaseTransitions(null);
                case DURATION -> spec.setLeaseDurationSeconds(null);
                case ACQUIRED -> spec.setAcquireTime(null);
                case RENEWED -> spec.setRenewTime(null);
            }
        }
    }

    private static Lease empty() {
        return new LeaseBuilder()
                .withNewMetadata()
                .withName("orders")
                .endMetadata()
                .build();
    }

    private static Lease foreign(@Nullable String holder, int transitions, int seconds) {
        LeaseSpec spec = new LeaseSpecBuilder()
                .withHolderIdentity(holder)
                .withLeaseTransitions(transitions)
                .withLeaseDurationSeconds(seconds)
                .withAcquireTime(RENEWED.minusMinutes(1))
                .withRenewTime(RENEWED)
                .build();
        return new LeaseBuilder(empty()).withSpec(spec).build();
    }

    /** The lease as another election writes it, which keeps what it does not know. */
    private static Lease rewritten(Lease lease, LeaseSpec spec) {
        return new LeaseBuilder(lease).withSpec(spec).build();
    }

    private static LeaseRecord record(Lease lease) {
        return Objects.requireNonNull(LeaseObjects.read(lease).record());
    }

    static Stream<LeaseRecord> ours() {
        return Stream.of(claim("a", 1), OURS, released(OURS), claim("", 3));
    }

    @ParameterizedTest
    @MethodSource("ours")
    void whatWeWroteIsRead(LeaseRecord record) {
        assertThat(record(LeaseObjects.write(empty(), record))).isEqualTo(record);
    }

    @Test
    void theSpecShowsWhoHoldsTheLeaseAndSinceWhen() {
        Lease claimed = LeaseObjects.write(empty(), claim("a", 7));
        Lease renewed = LeaseObjects.write(claimed, renewed(claim("a", 7)));
        LeaseSpec spec = renewed.getSpec();
        assertThat(spec.getHolderIdentity()).isEqualTo("a");
        assertThat(spec.getLeaseTransitions()).isEqualTo(7);
        assertThat(spec.getLeaseDurationSeconds()).isEqualTo(30);
        assertThat(spec.getAcquireTime().toInstant()).isEqualTo(Instant.parse("2026-01-01T00:00:00.123Z"));
        assertThat(spec.getRenewTime().toInstant()).isEqualTo(Instant.parse("2026-01-01T00:00:05.123Z"));
        Lease next = LeaseObjects.write(renewed, claim("b", 8));
        assertThat(next.getSpec().getAcquireTime()).isEqualTo(next.getSpec().getRenewTime());
    }

    @ParameterizedTest
    @CsvSource({"500, 1", "1000, 1", "1500, 2", "30000, 30"})
    void theDurationIsRoundedUpToSecondsAndTheTtlIsExact(long ttlMillis, int seconds) {
        LeaseRecord record =
                new LeaseRecord("a", "claim", 1, 0, Duration.ofMillis(ttlMillis), Instant.EPOCH.plusSeconds(99), false);
        Lease lease = LeaseObjects.write(empty(), record);
        assertThat(lease.getSpec().getLeaseDurationSeconds()).isEqualTo(seconds);
        assertThat(LeaseObjects.read(lease).ttl()).isEqualTo(Duration.ofMillis(ttlMillis));
    }

    @Test
    void aReleasedLeaseNamesNobodyAndIsStillOurs() {
        Lease lease = LeaseObjects.write(LeaseObjects.write(empty(), OURS), released(OURS));
        assertThat(lease.getSpec().getHolderIdentity()).isEmpty();
        assertThat(lease.getSpec().getLeaseDurationSeconds()).isPositive();
        assertThat(record(lease)).isEqualTo(released(OURS));
    }

    @Test
    void whatOthersPutThereStays() {
        Lease lease = new LeaseBuilder(foreign("other", 3, 15))
                .editMetadata()
                .addToLabels("team", "shop")
                .addToAnnotations("note", "kept")
                .addToFinalizers("example.com/finalizer")
                .withUid("uid-1")
                .withResourceVersion("42")
                .addToAdditionalProperties("later", "kept")
                .endMetadata()
                .editSpec()
                .withStrategy("OldestEmulationVersion")
                .withPreferredHolder("someone")
                .addToAdditionalProperties("unknown", "kept")
                .endSpec()
                .build();
        Lease written = LeaseObjects.write(lease, claim("a", 4));
        assertThat(written.getMetadata().getLabels()).containsEntry("team", "shop");
        assertThat(written.getMetadata().getAnnotations()).containsEntry("note", "kept");
        assertThat(written.getMetadata().getFinalizers()).containsExactly("example.com/finalizer");
        assertThat(written.getMetadata().getUid()).isEqualTo("uid-1");
        assertThat(written.getMetadata().getResourceVersion()).isEqualTo("42");
        assertThat(written.getMetadata().getAdditionalProperties()).containsEntry("later", "kept");
        assertThat(written.getSpec().getStrategy()).isEqualTo("OldestEmulationVersion");
        assertThat(written.getSpec().getPreferredHolder()).isEqualTo("someone");
        assertThat(written.getSpec().getAdditionalProperties()).containsEntry("unknown", "kept");
    }

    @Test
    void anotherElectionsHolderCountsForTheDurationThatItNames() {
        LeaseObjects.Reading reading = LeaseObjects.read(foreign("pod-1_3f2a", 4, 15));
        assertThat(reading.epoch()).isEqualTo(4);
        assertThat(reading.ttl()).isEqualTo(Duration.ofSeconds(15));
        LeaseRecord record = Objects.requireNonNull(reading.record());
        assertThat(record.holder()).isEqualTo("pod-1_3f2a");
        assertThat(record.released()).isFalse();
        assertThat(record.sequence()).isPositive();
        assertThat(record.expiresAt()).isEqualTo(RENEWED.toInstant().plusSeconds(15));
    }

    @Test
    void anotherElectionsFirstHolderHasAnEpochToo() {
        assertThat(LeaseObjects.read(foreign("pod-1_3f2a", 0, 15)).epoch()).isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void aLeaseThatAnotherElectionReleasedIsFree(String holder) {
        LeaseObjects.Reading reading = LeaseObjects.read(foreign(holder, 5, 1));
        assertThat(reading.epoch()).isEqualTo(5);
        assertThat(Objects.requireNonNull(reading.record()).released()).isTrue();
    }

    @Test
    void aTimeBeyondAllTimesCannotBeUnderstood() {
        LeaseRecord record = new LeaseRecord("a", "c", 5, 1, Duration.ofSeconds(30), Instant.MIN, false);
        Lease lease = LeaseObjects.write(empty(), OURS);
        lease.getMetadata()
                .getAnnotations()
                .put(LeaseObjects.ANNOTATION, new String(Json.write(record), StandardCharsets.UTF_8));
        assertThat(LeaseObjects.read(lease).record()).isNotEqualTo(record);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLeaseThatSaysNothingCannotBeUnderstood(boolean withSpec) {
        Lease lease = new LeaseBuilder(empty())
                .withSpec(withSpec ? new LeaseSpec() : null)
                .build();
        assertThat(LeaseObjects.read(lease)).isEqualTo(new LeaseObjects.Reading(1, null, Duration.ZERO));
    }

    @ParameterizedTest
    @EnumSource
    void aHolderOfAnotherElectionIsNeverFreeWhateverIsMissing(Field field) {
        Lease lease = foreign("pod-1_3f2a", 4, 15);
        field.clear(lease.getSpec());
        LeaseObjects.Reading reading = LeaseObjects.read(lease);
        LeaseRecord record = reading.record();
        switch (field) {
            case HOLDER, DURATION -> assertThat(record).isNull();
            case RENEWED ->
                assertThat(Objects.requireNonNull(record).expiresAt()).isEqualTo(Instant.MAX);
            case TRANSITIONS, ACQUIRED ->
                assertThat(Objects.requireNonNull(record).released()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource
    void oursIsNeverFreeWhateverIsMissingAndKeepsItsEpoch(Field field) {
        Lease lease = LeaseObjects.write(empty(), OURS);
        field.clear(lease.getSpec());
        LeaseObjects.Reading reading = LeaseObjects.read(lease);
        assertThat(reading.epoch()).isEqualTo(5);
        if (field == Field.ACQUIRED) {
            assertThat(reading.record()).isEqualTo(OURS);
        } else {
            assertThat(reading.record()).isNull();
        }
    }

    @Test
    void whatAnotherElectionWroteOverOursIsTheirs() {
        Lease ours = LeaseObjects.write(empty(), released(OURS));
        Lease theirs = rewritten(ours, foreign("pod-1_3f2a", 6, 15).getSpec());
        assertThat(theirs.getMetadata().getAnnotations()).containsKey(LeaseObjects.ANNOTATION);
        assertThat(record(theirs).holder()).isEqualTo("pod-1_3f2a");
        assertThat(record(theirs).epoch()).isEqualTo(6);
        Lease given = rewritten(theirs, foreign("", 6, 1).getSpec());
        assertThat(record(given).released()).isTrue();
        assertThat(record(LeaseObjects.write(given, claim("a", 7)))).isEqualTo(claim("a", 7));
    }

    @Test
    void anElectionThatCountsAnewNeverLowersTheEpoch() {
        Lease theirs = rewritten(
                LeaseObjects.write(empty(), OURS), foreign("pod-1_3f2a", 0, 15).getSpec());
        assertThat(LeaseObjects.read(theirs).epoch()).isEqualTo(5);
        assertThat(record(theirs).sameClaim(OURS)).isFalse();
    }

    @Test
    void aHolderThatAPersonClearedIsNotFree() {
        Lease lease = LeaseObjects.write(empty(), OURS);
        lease.getSpec().setHolderIdentity("");
        assertThat(LeaseObjects.read(lease)).isEqualTo(new LeaseObjects.Reading(5, null, Duration.ofSeconds(30)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{\"holder\":\"a\"}", "not json"})
    void anAnnotationThatCannotBeUnderstoodIsNeitherOursNorTheirs(String text) {
        Lease lease = LeaseObjects.write(empty(), OURS);
        lease.getMetadata().getAnnotations().put(LeaseObjects.ANNOTATION, text);
        assertThat(LeaseObjects.read(lease)).isEqualTo(new LeaseObjects.Reading(5, null, Duration.ofSeconds(30)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "2147483648", "9223372036854775807", "9223372036854775808", "5.0", "\"5\""})
    void anAnnotationCannotRaiseTheEpochBeyondWhatALeaseCanHold(String epoch) {
        Lease lease = LeaseObjects.write(empty(), OURS);
        lease.getMetadata()
                .getAnnotations()
                .computeIfPresent(
                        LeaseObjects.ANNOTATION, (key, text) -> text.replace("\"epoch\":5", "\"epoch\":" + epoch));
        assertThat(LeaseObjects.read(lease).epoch()).isEqualTo(5);
        assertThat(LeaseObjects.read(lease).record()).isNull();
    }
}
