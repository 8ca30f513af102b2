package io.leasehold.file;

import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Requirements;
import io.leasehold.store.UnsuitableStoreException;
import io.leasehold.store.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process of another user is refused at the start, with the path and the cause, where it could never lead. */
class OtherUserTest {
    private static final String OTHER = "65534";
    private static final List<String> AS_OTHER =
            List.of("setpriv", "--reuid=" + OTHER, "--regid=" + OTHER, "--clear-groups");

    @TempDir
    Path temporary;

    private Path path;

    @BeforeEach
    void begin() throws Exception {
        Requirements.require(canBecomeOther(), "only root can start a process of another user, by setpriv");
        mode(temporary, "rwxr-xr-x");
        path = Files.createDirectory(temporary.resolve("lease"));
    }

    private static boolean canBecomeOther() throws InterruptedException {
        try {
            List<String> command = List.of("setpriv", "--reuid=" + OTHER, "--regid=" + OTHER, "--clear-groups", "true");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static void mode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }

    private FileLeaseStore ownStore(boolean group) {
        return FileLeaseStore.open(path, "orders", new FileStoreOptions(true, group));
    }

    private StoreProcess.Result asOther(Path lease, boolean group) throws Exception {
        return new StoreProcess(temporary.resolve("code")).run(AS_OTHER, lease.toString(), String.valueOf(group));
    }

    private void assertRefused(Path lease, Path denied) throws Exception {
        StoreProcess.Result result = asOther(lease, false);
        assertThat(result.status()).isNotZero();
        assertThat(result.output())
                .contains(UnsuitableStoreException.class.getName())
                .contains(lease + " cannot be used by user")
                .contains(denied + " denies access")
                .contains("lease.file.group-access");
    }

    @Test
    void aLeaseFileOfAnotherOwnerIsRefused() throws Exception {
        mode(path, "rwxrwxrwx");
        FileLeaseStore store = ownStore(false);
        store.initialize();
        assertThat(store.replace(store.read(), claim("root", 7))).isEqualTo(WriteOutcome.CONFIRMED);
        mode(path.resolve(EpochDirectory.MARKER), "rw-r--r--");
        assertRefused(path, path.resolve("7.json"));
    }

    @Test
    void aMarkerOfAnotherOwnerIsRefused() throws Exception {
        mode(path, "rwxrwxrwx");
        ownStore(false).initialize();
        assertRefused(path, path.resolve(EpochDirectory.MARKER));
    }

    @Test
    void aDirectoryThatCanOnlyBeReadIsRefused() throws Exception {
        mode(path, "rwxr-xr-x");
        StoreProcess.Result result = asOther(path, false);
        assertThat(result.status()).isNotZero();
        assertThat(result.output())
                .contains(path + " cannot be used by user")
                .contains(path + "/.0.")
                .contains("denies access");
    }

    @Test
    void aDirectoryOfItsOwnerAloneIsRefused() throws Exception {
        mode(path, "rwx------");
        assertThat(asOther(path, false).output())
                .contains(path + " cannot be used by user")
                .contains("denies access");
    }

    @Test
    void aDirectoryThatCannotBeCreatedIsRefused() throws Exception {
        Path missing = path.resolve("lease");
        mode(path, "rwxr-xr-x");
        assertRefused(missing, missing);
    }

    @Test
    void usersOfOneGroupShareALease() throws Exception {
        Files.setAttribute(path, "unix:gid", Integer.valueOf(OTHER));
        Files.setAttribute(path, "unix:mode", Integer.valueOf(02770));
        FileLeaseStore store = ownStore(true);
        store.initialize();
        assertThat(store.replace(store.read(), claim("root", 7))).isEqualTo(WriteOutcome.CONFIRMED);
        StoreProcess.Result result = asOther(path, true);
        assertThat(result.output()).contains("claim CONFIRMED", "renew CONFIRMED", "state {epoch=8}");
        assertThat(Objects.requireNonNull(store.read().record()).holder()).isEqualTo("program");
    }
}
