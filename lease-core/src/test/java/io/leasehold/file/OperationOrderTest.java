package io.leasehold.file;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.state.StateSession;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.WriteOutcome;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which the protocol writes, makes durable, and looks. */
class OperationOrderTest {
    @TempDir
    Path temporary;

    private final FaultyFiles files = TestDirectory.files();
    private TestDirectory lease;
    private TestDirectory state;

    @BeforeEach
    void begin() {
        lease = new TestDirectory(temporary.resolve("lease"));
        state = new TestDirectory(temporary.resolve("state"));
    }

    @Test
    void aNewDirectoryIsSyncedBeforeItsMarkerIsLinkedAndSynced() throws Exception {
        lease.leaseStore(files).initialize();
        assertThat(files.trace())
                .containsExactly(
                        "CREATE_DIRECTORY lease",
                        "SYNC " + temporary.getFileName(),
                        "LIST lease",
                        "CREATE .0.tmp",
                        "LINK marker.json",
                        "DELETE .0.tmp",
                        "SYNC lease");
    }

    @Test
    void aClaimIsLinkedAndSyncedBeforeThePredecessorAndTheListingAreLookedAt() throws Exception {
        FileLeaseStore store = lease.leaseStore(files);
        store.initialize();
        store.replace(store.read(), claim("a", 1));
        LeaseSnapshot observed = store.read();
        files.forgetCalls();
        assertThat(store.replace(observed, claim("b", 2))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(files.trace())
                .containsExactly(
                        "CREATE .2.tmp",
                        "LINK 2.json",
                        "DELETE .2.tmp",
                        "SYNC lease",
                        "LIST lease",
                        "READ 1.json",
                        "LIST lease",
                        "READ marker.json");
    }

    @Test
    void aRenewIsRenamedAndSyncedBeforeTheListingIsLookedAt() throws Exception {
        FileLeaseStore store = lease.leaseStore(files);
        store.initialize();
        store.replace(store.read(), claim("a", 1));
        store.replace(store.read(), renewed(claim("a", 1)));
        LeaseSnapshot own = store.read();
        files.forgetCalls();
        assertThat(store.replace(own, renewed(renewed(claim("a", 1))))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(files.trace())
                .containsExactly("CREATE .1.tmp", "MOVE 1.json", "SYNC lease", "LIST lease", "READ marker.json");
    }

    @Test
    void theHighestFileIsReadBeforeTheListingThatCountsIt() throws Exception {
        FileLeaseStore store = lease.leaseStore(files);
        store.initialize();
        store.replace(store.read(), claim("a", 1));
        files.forgetCalls();
        store.read();
        assertThat(files.trace()).containsExactly("READ marker.json", "LIST lease", "READ 1.json", "LIST lease");
    }

    @Test
    void anEpochIsSealedBeforeTheStateBelowIsReadAndListedAfterItIsWritten() throws Exception {
        state.stateStore().open(1, "a", "id").write(Map.of("orders", "17"));
        FileStateStore store = state.stateStore(files);
        store.head();
        files.forgetCalls();
        store.open(2, "b", "id");
        assertThat(files.trace())
                .containsExactly(
                        "READ marker.json",
                        "LIST state",
                        "CREATE .2.tmp",
                        "LINK 2.json",
                        "DELETE .2.tmp",
                        "SYNC state",
                        "LIST state",
                        "READ 1.json",
                        "CREATE .2.tmp",
                        "MOVE 2.json",
                        "SYNC state",
                        "LIST state",
                        "READ marker.json",
                        "LIST state",
                        "LIST state");
    }

    @Test
    void aCommitIsWrittenAndSyncedBeforeTheListingIsLookedAt() throws Exception {
        StateSession session = state.stateStore(files).open(1, "a", "id");
        files.forgetCalls();
        session.write(Map.of("orders", "17"));
        assertThat(files.trace())
                .containsExactly("CREATE .1.tmp", "MOVE 1.json", "SYNC state", "LIST state", "READ marker.json");
    }
}
