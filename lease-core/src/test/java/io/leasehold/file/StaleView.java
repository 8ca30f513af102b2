package io.leasehold.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one host sees of directories whose listings and contents it keeps in a cache: all as it was at some moment, apart from
 * what the host itself has changed since. Its changes reach the disk at once.
 */
public final class StaleView {
    private final SimulatedDisk disk;
    private final Map<Path, Map<String, byte[]>> directories = new HashMap<>();

    /** A view in which nothing is stale. */
    public StaleView(SimulatedDisk disk) {
        this.disk = disk;
    }

    /** Shows a directory, from now on, as it is now. */
    public void keep(Path directory) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        for (String name : disk.list(directory)) {
            byte[] contents = disk.read(directory.resolve(name), Integer.MAX_VALUE);
            files.put(name, Objects.requireNonNull(contents));
        }
        directories.put(directory, files);
    }

    /** Shows everything as it is. */
    public void clear() {
        directories.clear();
    }

    /** Whether a directory is shown as it was. */
    public boolean isStale(Path directory) {
        return directories.containsKey(directory);
    }

    List<String> list(Path directory) throws IOException {
        Map<String, byte[]> files = directories.get(directory);
        return files == null ? disk.list(directory) : List.copyOf(files.keySet());
    }

    byte @Nullable [] read(Path file, int limit) {
        Map<String, byte[]> files = directories.get(parent(file));
        if (files == null) {
            return disk.read(file, limit);
        }
        byte[] contents = files.get(name(file));
        return contents == null || contents.length <= limit ? contents : Arrays.copyOf(contents, limit);
    }

    /** The host has changed a file itself, or thinks so. */
    void changed(Path file) {
        Map<String, byte[]> files = directories.get(parent(file));
        if (files == null) {
            return;
        }
        byte[] contents = disk.read(file, Integer.MAX_VALUE);
        if (contents == null) {
            files.remove(name(file));
        } else {
            files.put(name(file), contents);
        }
    }

    private static Path parent(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }
}
