package io.leasehold.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file system in memory that several simulated hosts share. Every method is one atomic operation, and what one host did
 * the others see at once. What was not synced may be gone after a power failure. Listings are in the order of creation, so
 * that random names change nothing.
 */
public final class SimulatedDisk {
    /** The epoch files of a directory at some moment. */
    public record Backup(Map<String, byte[]> files, long highestEpoch) {}

    private static class Node {
        private byte[] contents = new byte[0];

        Node copy(Map<Node, Node> copies) {
            return this;
        }

        void describe(String path, StringBuilder text) {
            text.append(path)
                    .append('=')
                    .append(new String(contents, StandardCharsets.UTF_8))
                    .append('\n');
        }
    }

    private static final class Folder extends Node {
        private Map<String, Node> now = new LinkedHashMap<>();
        private Map<String, Node> synced = new LinkedHashMap<>();
        private @Nullable Map<String, Node> hidden;

        @Override
        Folder copy(Map<Node, Node> copies) {
            Folder copy = new Folder();
            copies.put(this, copy);
            copy.now = copyOf(now, copies);
            copy.synced = copyOf(synced, copies);
            copy.hidden = hidden == null ? null : copyOf(hidden, copies);
            return copy;
        }

        private static Map<String, Node> copyOf(Map<String, Node> nodes, Map<Node, Node> copies) {
            Map<String, Node> copy = new LinkedHashMap<>(nodes);
            copy.replaceAll((name, node) -> copies.containsKey(node) ? copies.get(node) : node.copy(copies));
            return copy;
        }

        @Override
        void describe(String path, StringBuilder text) {
            new TreeMap<>(now).forEach((name, node) -> node.describe(path + "/" + name, text));
            new TreeMap<>(synced).forEach((name, node) -> {
                if (now.get(name) != node) {
                    node.describe(path + "/" + name + " synced", text);
                }
            });
            now.keySet().stream()
                    .filter(name -> !synced.containsKey(name))
                    .sorted()
                    .forEach(name -> text.append(path).append('/').append(name).append(" not synced\n"));
        }
    }

    private final Folder root;

    /** An empty disk. */
    public SimulatedDisk() {
        this(new Folder());
    }

    private SimulatedDisk(Folder root) {
        this.root = root;
    }

    /** Creates a directory as an administrator would: it is durable. */
    public void install(Path directory) throws IOException {
        createDirectory(directory);
        sync(parent(directory));
    }

    /** Whether there is such a directory. */
    public boolean isThere(Path directory) {
        return find(directory) != null;
    }

    /** Whether a file is one of an epoch. */
    public static boolean isEpochFile(Path file) {
        return EpochDirectory.isEpochFile(name(file));
    }

    /** The highest epoch that has a file; 0 where there is none. */
    public long highestEpoch(Path directory) {
        Folder folder = find(directory);
        return folder == null
                ? 0
                : folder.now.keySet().stream()
                        .mapToLong(SimulatedDisk::epochOf)
                        .max()
                        .orElse(0);
    }

    /** Deletes all epoch files; the marker stays. */
    public void emptyEpochs(Path directory) throws IOException {
        Folder folder = folder(directory);
        folder.now.keySet().removeIf(EpochDirectory::isEpochFile);
        folder.synced.keySet().removeIf(EpochDirectory::isEpochFile);
    }

    /** Deletes the files of all epochs above one, as where a backup of then is restored. */
    public void keepEpochsUpTo(Path directory, long epoch) throws IOException {
        Folder folder = folder(directory);
        folder.now.keySet().removeIf(name -> epochOf(name) > epoch);
        folder.synced.keySet().removeIf(name -> epochOf(name) > epoch);
    }

    /** Copies all epoch files. */
    public Backup backUp(Path directory) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        folder(directory).now.forEach((name, node) -> {
            if (EpochDirectory.isEpochFile(name)) {
                files.put(name, node.contents);
            }
        });
        return new Backup(files, highestEpoch(directory));
    }

    /** Replaces all epoch files by those of a backup. */
    public void restore(Path directory, Backup backup) throws IOException {
        emptyEpochs(directory);
        Folder folder = folder(directory);
        backup.files.forEach((name, contents) -> {
            Node node = new Node();
            node.contents = contents;
            folder.now.put(name, node);
            folder.synced.put(name, node);
        });
    }

    /** Cuts the file of the highest epoch short. */
    public void garble(Path directory, SplittableRandom random) throws IOException {
        Node highest = folder(directory).now.get(highestEpoch(directory) + ".json");
        if (highest != null && highest.contents.length > 0) {
            garble(directory, random.nextInt(highest.contents.length));
        }
    }

    /** Cuts the file of the highest epoch down to so many bytes. */
    public void garble(Path directory, int bytes) throws IOException {
        Folder folder = folder(directory);
        String name = highestEpoch(directory) + ".json";
        Node highest = folder.now.get(name);
        if (highest != null) {
            Node cut = new Node();
            cut.contents = Arrays.copyOf(highest.contents, bytes);
            folder.now.put(name, cut);
            folder.synced.replace(name, cut);
        }
    }

    /** Shows an empty directory in place of this one, as where a volume is not mounted. */
    public void unmount(Path directory) throws IOException {
        Folder folder = folder(directory);
        folder.hidden = folder.now;
        folder.now = new LinkedHashMap<>();
    }

    /** Shows the directory again. */
    public void mount(Path directory) throws IOException {
        Folder folder = folder(directory);
        folder.now = Objects.requireNonNull(folder.hidden);
        folder.hidden = null;
    }

    /** Deletes a directory and makes a new, empty one in its place; returns the contents of the marker that it had. */
    public byte[] removeAndRecreate(Path directory) throws IOException {
        byte[] marker = Objects.requireNonNull(read(directory.resolve(EpochDirectory.MARKER), Integer.MAX_VALUE));
        Folder fresh = new Folder();
        Folder above = folder(parent(directory));
        above.now.put(name(directory), fresh);
        above.synced.put(name(directory), fresh);
        return marker;
    }

    /** Writes a marker, as a person does who confirms that a directory is the right one. */
    public void confirm(Path directory, byte[] marker) throws IOException {
        Node node = new Node();
        node.contents = marker;
        folder(directory).now.put(EpochDirectory.MARKER, node);
        sync(directory);
    }

    /**
     * Each change of a directory that was not synced is there afterwards, or is not.
     *
     * @param isLost asked once for each such change
     */
    public void powerFails(BooleanSupplier isLost) {
        powerFails(root, isLost);
    }

    private static void powerFails(Folder folder, BooleanSupplier isLost) {
        Map<String, Node> both = new LinkedHashMap<>(folder.synced);
        both.putAll(folder.now);
        Map<String, Node> left = new LinkedHashMap<>();
        for (String name : both.keySet()) {
            Node now = folder.now.get(name);
            Node synced = folder.synced.get(name);
            Node kept = now != synced && isLost.getAsBoolean() ? synced : now;
            if (kept != null) {
                left.put(name, kept);
            }
        }
        folder.now = left;
        folder.synced = new LinkedHashMap<>(left);
        left.values().forEach(node -> {
            if (node instanceof Folder below) {
                powerFails(below, isLost);
            }
        });
    }

    /** Another disk with the same contents; what happens to one is not seen on the other. */
    public SimulatedDisk copy() {
        return new SimulatedDisk(root.copy(new IdentityHashMap<>()));
    }

    /** All that is there and all that would be there after a power failure; equal texts mean equal disks. */
    public String contents() {
        StringBuilder text = new StringBuilder();
        root.describe("", text);
        return text.toString();
    }

    List<String> list(Path directory) throws IOException {
        return List.copyOf(folder(directory).now.keySet());
    }

    byte @Nullable [] read(Path file, int limit) {
        Folder folder = find(parent(file));
        Node node = folder == null ? null : folder.now.get(name(file));
        return node == null ? null : Arrays.copyOf(node.contents, Math.min(limit, node.contents.length));
    }

    /** Creates an empty file, and returns what writes its contents. */
    Consumer<byte[]> create(Path file) throws IOException {
        Node node = new Node();
        if (folder(parent(file)).now.putIfAbsent(name(file), node) != null) {
            throw new FileAlreadyExistsException(file.toString());
        }
        return contents -> node.contents = contents;
    }

    void link(Path name, Path existing) throws IOException {
        Folder folder = folder(parent(name));
        Node node = existing(existing);
        if (folder.now.containsKey(name(name))) {
            throw new FileAlreadyExistsException(name.toString());
        }
        folder.now.put(name(name), node);
    }

    void move(Path from, Path to) throws IOException {
        Node node = existing(from);
        Folder target = folder(parent(to));
        folder(parent(from)).now.remove(name(from));
        target.now.put(name(to), node);
    }

    void sync(Path directory) throws IOException {
        Folder folder = folder(directory);
        folder.synced = new LinkedHashMap<>(folder.now);
    }

    void delete(Path file) {
        Folder folder = find(parent(file));
        if (folder != null) {
            folder.now.remove(name(file));
        }
    }

    void createDirectory(Path directory) throws IOException {
        folder(parent(directory)).now.putIfAbsent(name(directory), new Folder());
    }

    private Node existing(Path file) throws IOException {
        Node node = folder(parent(file)).now.get(name(file));
        if (node == null) {
            throw new NoSuchFileException(file.toString());
        }
        return node;
    }

    private Folder folder(Path directory) throws IOException {
        Folder found = find(directory);
        if (found == null) {
            throw new NoSuchFileException(directory.toString());
        }
        return found;
    }

    private @Nullable Folder find(Path directory) {
        Folder folder = root;
        for (Path part : directory) {
            if (!(folder.now.get(part.toString()) instanceof Folder below)) {
                return null;
            }
            folder = below;
        }
        return folder;
    }

    private static Path parent(Path path) {
        return Objects.requireNonNull(path.getParent());
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static long epochOf(String name) {
        return EpochDirectory.isEpochFile(name) ? Long.parseLong(name.substring(0, name.indexOf('.'))) : 0;
    }
}
