package io.leasehold.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may read and write what the stores create: its owner, or its group too, whatever the umask. */
class FileModesTest {
    private static final String OWNER_DIRECTORY = "rwx------";
    private static final String OWNER_FILE = "rw-------";
    private static final String GROUP_DIRECTORY = "rwxrwx---";
    private static final String GROUP_FILE = "rw-rw----";

    @TempDir
    Path temporary;

    private Map<String, String> use(String umask, boolean group) throws Exception {
        Path path = temporary.resolve("lease");
        List<String> shell = List.of("sh", "-c", "umask " + umask + " && exec \"$0\" \"$@\"");
        StoreProcess.Result result =
                new StoreProcess(temporary.resolve("code")).run(shell, path.toString(), String.valueOf(group));
        assertThat(result.output()).contains("claim CONFIRMED", "renew CONFIRMED", "state {epoch=1}");
        assertThat(result.status()).isZero();
        return modes(path);
    }

    private static Map<String, String> modes(Path path) throws IOException {
        Map<String, String> modes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                modes.put(
                        path.relativize(file).toString(),
                        PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
            }
        }
        return modes;
    }

    private static Map<String, String> allOf(String directory, String file) {
        return Map.of(
                "",
                directory,
                "marker.json",
                file,
                "1.json",
                file,
                "state",
                directory,
                "state/marker.json",
                file,
                "state/1.json",
                file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"000", "077"})
    void onlyTheOwnerByDefault(String umask) throws Exception {
        assertThat(use(umask, false)).isEqualTo(allOf(OWNER_DIRECTORY, OWNER_FILE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"000", "077"})
    void theGroupTooWhereItIsAskedFor(String umask) throws Exception {
        assertThat(use(umask, true)).isEqualTo(allOf(GROUP_DIRECTORY, GROUP_FILE));
    }

    @Test
    void aDirectoryThatIsThereKeepsItsMode() throws Exception {
        Path path = Files.createDirectory(temporary.resolve("lease"));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        FileLeaseStore.open(path, "orders", FileStoreOptions.DEFAULTS).initialize();
        assertThat(modes(path)).isEqualTo(Map.of("", "rwxrwxrwx", "marker.json", OWNER_FILE));
    }
}
