package io.leasehold.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.file.FaultyFiles.Fault;
import io.leasehold.file.FaultyFiles.Operation;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.UnsuitableStoreException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What only a person can mend is said at the start, with what to do; what may pass is waited for. */
class DirectoryCheckTest {
    private static final FileStoreOptions DO_NOT_CREATE = new FileStoreOptions(false, false);

    @TempDir
    Path temporary;

    private static FileLeaseStore open(Path path) {
        return FileLeaseStore.open(path, "orders", FileStoreOptions.DEFAULTS);
    }

    private static UnsuitableStoreException refused(Path path) {
        UnsuitableStoreException refusal = catchThrowableOfType(UnsuitableStoreException.class, () -> open(path));
        assertThat(refusal.problem()).contains(path.toString());
        assertThat(refusal.action()).isNotBlank();
        assertThat(refusal)
                .hasMessageContaining(
                        refusal.problem().substring(0, refusal.problem().length() - 1));
        assertThat(refusal).hasMessageContaining(refusal.action());
        return refusal;
    }

    @Test
    void theLastPartOfThePathIsCreatedAndNothingInIt() throws Exception {
        Path path = temporary.resolve("lease");
        assertThat(open(path).read()).isEqualTo(LeaseSnapshot.empty(null));
        assertThat(path).isEmptyDirectory();
        open(path).initialize();
        open(path);
        assertThat(new TestDirectory(path).names()).containsExactly(EpochDirectory.MARKER);
    }

    @Test
    void aMissingParentIsNamed() {
        assertThat(refused(temporary.resolve("none").resolve("lease")).action())
                .contains(temporary.resolve("none").toString());
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void aParentThatIsAFileIsRefused() throws Exception {
        Files.writeString(temporary.resolve("file"), "");
        refused(temporary.resolve("file").resolve("lease"));
    }

    @Test
    void aPathThatIsAFileIsRefusedAndLeftAlone() throws Exception {
        Path file = temporary.resolve("lease");
        Files.writeString(file, "precious");
        assertThat(refused(file).problem()).contains("not a directory");
        assertThatThrownBy(() -> FileStateStore.open(file, "orders", FileStoreOptions.DEFAULTS))
                .isInstanceOf(UnsuitableStoreException.class);
        assertThat(file).hasContent("precious");
    }

    @Test
    void aMissingDirectoryThatMayNotBeCreatedIsRefused() {
        Path path = temporary.resolve("lease");
        assertThatThrownBy(() -> FileLeaseStore.open(path, "orders", DO_NOT_CREATE))
                .isInstanceOf(UnsuitableStoreException.class)
                .hasMessageContaining(path.toString())
                .hasMessageContaining("lease.file.create");
        assertThat(path).doesNotExist();
    }

    @Test
    void anExistingDirectoryNeedsNoRightToCreateIt() throws Exception {
        Path path = Files.createDirectory(temporary.resolve("lease"));
        FileLeaseStore.open(path, "orders", DO_NOT_CREATE).initialize();
        assertThat(open(path).read().leaseId()).isNotBlank();
    }

    @Test
    void theDirectoryOfAStateIsCheckedAndCreatedInTheSameWay() {
        FileStateStore.open(temporary.resolve("state"), "orders", FileStoreOptions.DEFAULTS);
        assertThat(temporary.resolve("state")).isEmptyDirectory();
        Path deep = temporary.resolve("none").resolve("state");
        assertThatThrownBy(() -> FileStateStore.open(deep, "orders", FileStoreOptions.DEFAULTS))
                .isInstanceOf(UnsuitableStoreException.class)
                .hasMessageContaining(temporary.resolve("none").toString());
        Path missing = temporary.resolve("missing");
        assertThatThrownBy(() -> FileStateStore.open(missing, "orders", DO_NOT_CREATE))
                .isInstanceOf(UnsuitableStoreException.class)
                .hasMessageContaining(missing.toString());
    }

    @Test
    void aDirectoryOfAnotherLeaseIsRefusedWithBothNames() throws Exception {
        Path path = temporary.resolve("lease");
        FileLeaseStore.open(path, "bills", FileStoreOptions.DEFAULTS).initialize();
        UnsuitableStoreException refusal = refused(path);
        assertThat(refusal.problem()).contains("'bills'").contains("'orders'");
        assertThat(refusal.action()).contains("directory of its own");
    }

    @Test
    void oneDirectoryForALeaseAndItsStateIsRefused() throws Exception {
        Path lease = temporary.resolve("lease");
        open(lease).initialize();
        assertThatThrownBy(() -> FileStateStore.open(lease, "orders", FileStoreOptions.DEFAULTS))
                .isInstanceOf(UnsuitableStoreException.class);
        Path state = temporary.resolve("state");
        FileStateStore.open(state, "orders", FileStoreOptions.DEFAULTS).open(1, "a", "id");
        refused(state);
    }

    @Test
    void aGarbledMarkerIsRefusedWithTheWayOut() throws Exception {
        Path path = Files.createDirectory(temporary.resolve("lease"));
        Files.writeString(path.resolve(EpochDirectory.MARKER), "{");
        assertThat(refused(path).action()).contains("{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":");
    }

    @Test
    void symbolicLinksInThePathAreFollowed() throws Exception {
        Path real = Files.createDirectory(temporary.resolve("real"));
        Path parent = Files.createSymbolicLink(temporary.resolve("link"), real);
        open(parent.resolve("lease")).initialize();
        Path direct = Files.createSymbolicLink(temporary.resolve("direct"), real.resolve("lease"));
        assertThat(open(direct).read()).isEqualTo(open(real.resolve("lease")).read());
        assertThat(open(direct).read().leaseId()).isNotBlank();
    }

    /** What it points to may not be mounted yet. */
    @Test
    void aSymbolicLinkToNothingIsWaitedFor() throws Exception {
        Path path = Files.createSymbolicLink(temporary.resolve("lease"), temporary.resolve("none"));
        try (LogCapture log = new LogCapture(DirectoryCheck.class)) {
            FileLeaseStore store = open(path);
            assertThat(log.warnings()).hasSize(1).allMatch(message -> message.contains(path.toString()));
            assertThatThrownBy(store::initialize).isInstanceOf(LeaseStoreException.class);
            Files.createDirectory(temporary.resolve("none"));
            store.initialize();
            assertThat(store.read().leaseId()).isNotBlank();
        }
    }

    @Test
    void theProbeLeavesNothing() throws Exception {
        Path path = temporary.resolve("lease");
        open(path);
        assertThat(path).isEmptyDirectory();
    }

    @Test
    void aStorageThatDoesNotAnswerIsWaitedFor() throws Exception {
        Path path = temporary.resolve("lease");
        for (Operation operation : new Operation[] {Operation.LIST, Operation.READ, Operation.CREATE}) {
            FaultyFiles files = TestDirectory.files();
            files.inject(operation, Fault.FAILS);
            try (LogCapture log = new LogCapture(DirectoryCheck.class)) {
                new DirectoryCheck(path, files, true).check(new TestDirectory(path).lease(files));
                assertThat(log.warnings()).hasSize(1).allMatch(message -> message.contains(path.toString()));
            }
        }
    }

    @Test
    void aReadOnlyFileSystemIsRefused() throws Exception {
        Path path = Files.createDirectory(temporary.resolve("lease"));
        FaultyFiles files = TestDirectory.files();
        files.before(FaultyFiles.calls(Operation.CREATE), () -> {
            throw new FileSystemException(path.toString(), null, "Read-only file system");
        });
        assertThatThrownBy(() -> new DirectoryCheck(path, files, true).check(new TestDirectory(path).lease(files)))
                .isInstanceOf(UnsuitableStoreException.class)
                .hasMessageContaining("Mount it writable");
    }

    @Test
    void aFileSystemWithoutPosixSemanticsIsRefused() throws Exception {
        URI zip = URI.create("jar:" + temporary.resolve("files.zip").toUri());
        try (FileSystem files = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
            assertThatThrownBy(() -> open(files.getPath("/lease")))
                    .isInstanceOf(UnsuitableStoreException.class)
                    .hasMessageContaining("POSIX")
                    .hasMessageContaining("another store");
        }
    }
}
