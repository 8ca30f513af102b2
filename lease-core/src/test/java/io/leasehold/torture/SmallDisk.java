package io.leasehold.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory that a test can fill, and write-protect. */
final class SmallDisk implements AutoCloseable {
    private static final int BLOCK = 4096;

    private final Path mount;
    private final Cleanup cleanup = new Cleanup(this::unmount);

    SmallDisk(Path directory, String size) throws IOException, InterruptedException {
        mount = Files.createDirectory(directory.resolve("disk"));
        Command.run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", mount.toString());
    }

    /** Root can be kept from mounting, in a container. */
    static void require(Path directory) throws IOException, InterruptedException {
        Torture.requireRoot();
        Path probe = Files.createDirectory(directory.resolve("probe"));
        Torture.requireTool(
                "tmpfs cannot be mounted here", "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", probe.toString());
        Command.run("umount", probe.toString());
    }

    Path path() {
        return mount;
    }

    /** Takes every block that is left. */
    void fill() throws IOException {
        Path filler = mount.resolve("filler");
        for (int blocks = 1; ; blocks++) {
            try {
                Files.write(filler, new byte[blocks * BLOCK]);
            } catch (IOException noSpaceIsLeft) {
                return;
            }
        }
    }

    void empty() throws IOException {
        Files.delete(mount.resolve("filler"));
    }

    /** The system refuses this while a file is open for writing. */
    void protect() throws InterruptedException {
        while (!Command.succeeds("mount", "-o", "remount,ro", mount.toString())) {
            Thread.onSpinWait();
        }
    }

    void unprotect() throws IOException, InterruptedException {
        Command.run("mount", "-o", "remount,rw", mount.toString());
    }

    @Override
    public void close() {
        cleanup.close();
    }

    private void unmount() throws IOException, InterruptedException {
        Command.run("umount", "-l", mount.toString());
    }
}
