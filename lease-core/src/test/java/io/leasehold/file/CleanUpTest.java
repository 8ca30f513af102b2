package io.leasehold.file;

import static io.leasehold.file.FaultyFiles.calls;
import static io.leasehold.store.LeaseRecords.EXPIRES_AT;
import static io.leasehold.store.LeaseRecords.TTL;
import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.file.FaultyFiles.Fault;
import io.leasehold.file.FaultyFiles.Operation;
import io.leasehold.json.Json;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.WriteOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is deleted of former terms, and what never is. */
class CleanUpTest {
    private static final long HIGHEST = 1000;
    private static final Instant OLD = EXPIRES_AT.minus(Duration.ofDays(1)).minusMillis(1);
    private static final Instant YOUNG = EXPIRES_AT.minus(Duration.ofDays(1));

    @TempDir
    Path temporary;

    private final FaultyFiles files = TestDirectory.files();
    private TestDirectory lease;
    private TestDirectory state;

    @BeforeEach
    void begin() throws Exception {
        lease = new TestDirectory(temporary.resolve("lease"));
        state = new TestDirectory(temporary.resolve("state"));
        lease.leaseStore().initialize();
    }

    private void leave(long epoch, Instant expiresAt) throws Exception {
        lease.write(epoch + ".json", Json.write(new LeaseRecord("old", "c" + epoch, epoch, 4, TTL, expiresAt, false)));
    }

    /** The first renew of a term, by which its holder is known to lead. */
    private void claimAndRenew() throws Exception {
        FileLeaseStore store = lease.leaseStore(files);
        LeaseRecord record = claim("a", HIGHEST);
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(store.replace(store.read(), record.renewed(1, TTL, EXPIRES_AT)))
                .isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void epochsFarBelowAndADayOldAreDeleted() throws Exception {
        leave(1, OLD);
        leave(HIGHEST - 128, OLD);
        claimAndRenew();
        assertThat(lease.names()).containsExactly("1000.json", EpochDirectory.MARKER);
    }

    @Test
    void epochsNearTheHighestStayHoweverOldTheyAre() throws Exception {
        leave(HIGHEST - 127, OLD);
        leave(HIGHEST - 1, OLD);
        claimAndRenew();
        assertThat(lease.names()).contains("873.json", "999.json");
    }

    @Test
    void epochsYoungerThanADayStayHoweverFarBelow() throws Exception {
        leave(1, YOUNG);
        claimAndRenew();
        assertThat(lease.names()).contains("1.json");
    }

    @Test
    void whatCannotBeUnderstoodStays() throws Exception {
        lease.write("1.json", "not json");
        lease.write("2.json", "");
        lease.write("007.json", "");
        lease.write("notes.txt", "");
        claimAndRenew();
        assertThat(lease.names()).contains("1.json", "2.json", "007.json", "notes.txt");
    }

    @Test
    void aClaimDeletesNothing() throws Exception {
        leave(1, OLD);
        FileLeaseStore store = lease.leaseStore(files);
        assertThat(store.replace(store.read(), claim("a", HIGHEST))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(lease.names()).contains("1.json");
    }

    @Test
    void aRenewThatWasSupersededDeletesNothing() throws Exception {
        leave(1, OLD);
        FileLeaseStore store = lease.leaseStore(files);
        LeaseRecord record = claim("a", HIGHEST);
        store.replace(store.read(), record);
        files.after(calls(Operation.MOVE), () -> lease.write("1001.json", ""));
        assertThat(store.replace(store.read(), record.renewed(1, TTL, EXPIRES_AT)))
                .isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(lease.names()).contains("1.json");
    }

    @Test
    void temporaryFilesOfOldEpochsAreDeletedAndOthersStay() throws Exception {
        String random = "." + UUID.randomUUID() + ".tmp";
        lease.write(".3" + random, "");
        lease.write(".872" + random, "");
        lease.write(".873" + random, "");
        lease.write(".1000" + random, "");
        lease.write(".3.notes.tmp", "");
        lease.write("3.json.tmp", "");
        claimAndRenew();
        assertThat(lease.names())
                .containsExactlyInAnyOrder(
                        ".873" + random, ".1000" + random, ".3.notes.tmp", "3.json.tmp", "1000.json", "marker.json");
    }

    @Test
    void aRenewIsConfirmedAlsoWhereNothingCanBeDeleted() throws Exception {
        leave(1, OLD);
        files.inject(calls(Operation.DELETE, "1.json"), Fault.FAILS);
        claimAndRenew();
        assertThat(lease.names()).contains("1.json");
    }

    @Test
    void theLastTwoSegmentsBelowAnOpenedOneAreKept() throws Exception {
        for (long epoch = 1; epoch <= 6; epoch++) {
            state.stateStore().open(epoch, "a", "id").write(Map.of("orders", String.valueOf(epoch)));
        }
        assertThat(state.names()).containsExactly("4.json", "5.json", "6.json", "marker.json");
    }

    @Test
    void segmentsAreDeletedOnlyAfterTheOwnOpenHasListed() throws Exception {
        for (long epoch = 1; epoch <= 3; epoch++) {
            state.stateStore().open(epoch, "a", "id").write(Map.of("orders", String.valueOf(epoch)));
        }
        files.after(calls(Operation.MOVE, "4.json"), () -> files.inject(Operation.LIST, Fault.FAILS));
        assertThatThrownBy(() -> state.stateStore(files).open(4, "b", "id")).isInstanceOf(StateStoreException.class);
        assertThat(state.names()).contains("1.json", "2.json", "3.json");
        assertThat(files.trace()).doesNotContain("DELETE 1.json");
    }

    @Test
    void temporaryFilesOfLowerSegmentsAreDeleted() throws Exception {
        state.stateStore().open(1, "a", "id");
        String random = "." + UUID.randomUUID() + ".tmp";
        state.write(".1" + random, "");
        state.write(".2" + random, "");
        state.stateStore().open(2, "b", "id");
        assertThat(state.names()).containsExactly(".2" + random, "1.json", "2.json", "marker.json");
    }

    @Test
    void anOpenSucceedsAlsoWhereNothingCanBeDeleted() throws Exception {
        for (long epoch = 1; epoch <= 3; epoch++) {
            state.stateStore().open(epoch, "a", "id").write(Map.of("orders", String.valueOf(epoch)));
        }
        files.inject(calls(Operation.DELETE, "1.json"), Fault.FAILS);
        assertThat(state.stateStore(files).open(4, "b", "id").entries()).isEqualTo(Map.of("orders", "3"));
        assertThat(state.names()).contains("1.json");
    }
}
