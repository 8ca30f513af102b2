package io.leasehold.torture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A file system that shows a directory, and fails when it is told to: one host's view of shared storage. */
final class FaultyMount implements AutoCloseable {
    private static final String PYTHON = "/usr/bin/python3";
    private static final String SCRIPT = "faultfs.py";
    private static final String PROBE = ".mounted";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Path mount;
    private final Path control;
    private final Process process;
    private final Cleanup cleanup = new Cleanup(this::unmount);

    /** Mounts a directory; what is needed for that is put into another, which must be empty. */
    FaultyMount(Path backing, Path directory) throws IOException {
        Files.createDirectories(directory);
        mount = Files.createDirectory(directory.resolve("mount"));
        control = directory.resolve("mode");
        Path script = directory.resolve(SCRIPT);
        try (InputStream in = Objects.requireNonNull(FaultyMount.class.getResourceAsStream("/" + SCRIPT))) {
            Files.copy(in, script);
        }
        Files.writeString(backing.resolve(PROBE), "");
        mend();
        process = new ProcessBuilder(
                        PYTHON, script.toString(), backing.toString(), mount.toString(), control.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("faultfs.out").toFile())
                .start();
        Awaitility.await("the file system is mounted")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> Files.exists(mount.resolve(PROBE)));
    }

    static void require() throws IOException, InterruptedException {
        Torture.requireRoot();
        Torture.requireTool("there is no /dev/fuse", "test", "-c", "/dev/fuse");
        Torture.requireTool("there is no fusermount3, of the package fuse3", "fusermount3", "-V");
        Torture.requireTool(
                "there is no fusepy for " + PYTHON + ", of the package python3-fusepy", PYTHON, "-c", "import fusepy");
    }

    Path path() {
        return mount;
    }

    /** Fails in one way, which is one of the script's, until it is told otherwise. */
    void fail(String mode) throws IOException {
        Path next = control.resolveSibling("mode.next");
        Files.writeString(next, mode);
        Files.move(next, control, StandardCopyOption.ATOMIC_MOVE);
    }

    void mend() throws IOException {
        fail("ok");
    }

    /** Calls that hang are let go first: a process inside one cannot end. */
    @Override
    public void close() {
        cleanup.close();
    }

    private void unmount() throws IOException, InterruptedException {
        mend();
        if (!Command.succeeds("fusermount3", "-u", mount.toString())) {
            Command.run("fusermount3", "-u", "-z", mount.toString());
        }
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
