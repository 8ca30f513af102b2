package io.leasehold.file;

import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.Requirements;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

/** What has the name of a file and is none is neither absent nor understood, and keeps no reader waiting. */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class SpecialFilesTest {
    @TempDir
    Path temporary;

    private TestDirectory lease;
    private TestDirectory state;

    @BeforeEach
    void begin() throws Exception {
        lease = new TestDirectory(temporary.resolve("lease"));
        state = new TestDirectory(temporary.resolve("state"));
        lease.leaseStore().initialize();
        lease.leaseStore().replace(lease.leaseStore().read(), claim("a", 1));
        state.stateStore().open(1, "a", "id").write(Map.of("v", "1"));
    }

    private static void makePipe(Path path) throws IOException, InterruptedException {
        Files.deleteIfExists(path);
        Process process = new ProcessBuilder("mkfifo", path.toString()).start();
        Requirements.require(
                process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0, "mkfifo makes a named pipe");
    }

    @Test
    void aPipeNamedAsAnEpochIsRefusedByNameInsteadOfWaitedFor() throws Exception {
        makePipe(lease.path.resolve("7.json"));
        assertThatThrownBy(() -> lease.leaseStore().read())
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(lease.path.resolve("7.json") + ": is not a regular file");
    }

    @Test
    void aPipeInThePlaceOfAMarkerIsRefusedByNameInsteadOfWaitedFor() throws Exception {
        makePipe(lease.path.resolve("marker.json"));
        assertThatThrownBy(() -> lease.leaseStore().read())
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(lease.path.resolve("marker.json").toString());
    }

    @Test
    void aPipeNamedAsASegmentIsRefusedByNameInsteadOfWaitedFor() throws Exception {
        makePipe(state.path.resolve("7.json"));
        FileStateStore store = state.stateStore();
        assertThatThrownBy(() -> store.open(8, "b", "id"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(state.path.resolve("7.json").toString());
    }

    @Test
    void aPipeDoesNotKeepAStoreFromBeingOpened() throws Exception {
        makePipe(lease.path.resolve("7.json"));
        assertThat(FileLeaseStore.open(lease.path, "orders", FileStoreOptions.DEFAULTS))
                .isNotNull();
    }

    @Test
    void aDirectoryNamedAsAnEpochIsRefusedByName() throws Exception {
        Files.createDirectory(lease.path.resolve("7.json"));
        assertThatThrownBy(() -> lease.leaseStore().read())
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(lease.path.resolve("7.json").toString());
    }

    @Test
    void aLinkToNothingNamedAsAnEpochIsNotAbsentAndIsNamed() throws Exception {
        Files.createSymbolicLink(lease.path.resolve("7.json"), lease.path.resolve("nothing"));
        Files.createSymbolicLink(state.path.resolve("7.json"), state.path.resolve("nothing"));
        assertThatThrownBy(() -> lease.leaseStore().read())
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(lease.path.resolve("7.json").toString());
        assertThatThrownBy(() -> state.stateStore().snapshot())
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(state.path.resolve("7.json").toString());
    }

    @Test
    void aLinkToAFileIsReadAsThatFile() throws Exception {
        Files.move(lease.path.resolve("1.json"), lease.path.resolve("elsewhere"));
        Files.createSymbolicLink(lease.path.resolve("1.json"), lease.path.resolve("elsewhere"));
        assertThat(lease.leaseStore().read().record()).isEqualTo(claim("a", 1));
    }

    @Test
    void aFileThatGoesOnBeyondWhatIsReadOfItIsNotUnderstood() throws Exception {
        String whole = lease.read("1.json");
        lease.write("1.json", whole + " ".repeat(100_000) + "}");
        assertThat(lease.leaseStore().read().record()).isNull();
        lease.write("1.json", whole);
        lease.write("marker.json", lease.read("marker.json") + " ".repeat(100_000) + "}");
        assertThatThrownBy(() -> lease.leaseStore().read())
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("marker.json cannot be understood");
    }
}
