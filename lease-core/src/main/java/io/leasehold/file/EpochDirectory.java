package io.leasehold.file;

import io.leasehold.json.Json;
import io.leasehold.json.Json.Marker;
import io.leasehold.json.Json.UnreadableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory with one file per epoch, and a marker that tells what it is for. No file ever has two writers: an epoch's file
 * is created exclusively, and rewritten only by whoever created it. Remembers nothing of what is there; every method goes to
 * the file system.
 */
final class EpochDirectory {
    /** What a directory is for. */
    enum Kind {
        LEASE("lease"),
        STATE("state");

        private final String text;

        Kind(String text) {
            this.text = text;
        }
    }

    /** The name of the marker file. */
    static final String MARKER = "marker.json";

    private static final Logger LOG = LoggerFactory.getLogger(EpochDirectory.class);
    private static final Pattern EPOCH = Pattern.compile("([1-9][0-9]{0,18})\\.json");
    private static final int MARKER_LIMIT = 64 * 1024;

    private final Path path;
    private final Kind kind;
    private final String leaseName;
    private final FileOperations files;
    private final WholeFiles whole;

    EpochDirectory(Path path, Kind kind, String leaseName, FileOperations files) {
        this.path = path;
        this.kind = kind;
        this.leaseName = leaseName;
        this.files = files;
        this.whole = new WholeFiles(path, files);
    }

    Path path() {
        return path;
    }

    Path file(long epoch) {
        return path.resolve(epoch + ".json");
    }

    /** Whether a name in the directory is an epoch's file. */
    static boolean isEpochFile(String name) {
        return epochOf(name) > 0;
    }

    /** The epochs that have a file. Throws {@link NoSuchFileException} where there is no directory. */
    NavigableSet<Long> epochs() throws IOException {
        NavigableSet<Long> epochs = new TreeSet<>();
        for (String name : files.list(path)) {
            long epoch = epochOf(name);
            if (epoch > 0) {
                epochs.add(epoch);
            }
        }
        return epochs;
    }

    /** The highest of a set of epochs; 0 for none. */
    static long highest(NavigableSet<Long> epochs) {
        return epochs.isEmpty() ? 0 : epochs.last();
    }

    /** The contents of an epoch's file, at most so many bytes; null where there is none. */
    byte @Nullable [] read(long epoch, int limit) throws IOException {
        return files.read(file(epoch), limit);
    }

    /** Creates an epoch's file. False where another process has created it; an exception where that is not known. */
    boolean create(long epoch, byte[] contents) throws IOException {
        boolean created = whole.create(epoch, file(epoch), contents);
        if (created) {
            files.sync(path);
        }
        return created;
    }

    /** Replaces the contents of an epoch's own file, entirely or not at all. */
    void replace(long epoch, byte[] contents) throws IOException {
        whole.replace(epoch, file(epoch), contents);
        files.sync(path);
    }

    /** Deletes the file of an epoch. */
    void delete(long epoch) throws IOException {
        files.delete(file(epoch));
    }

    /** Deletes what crashed processes left behind of their writes to epochs up to this one. */
    void deleteTemporariesUpTo(long epoch) throws IOException {
        for (String name : files.list(path)) {
            if (WholeFiles.isTemporaryUpTo(epoch, name)) {
                files.delete(path.resolve(name));
            }
        }
    }

    /**
     * The id in the marker; null where there is no marker, or no directory.
     *
     * @throws MarkerException when the marker is another kind's or lease's, or cannot be understood
     */
    @Nullable
    String markerId() throws IOException {
        byte[] contents = files.read(path.resolve(MARKER), MARKER_LIMIT);
        if (contents == null) {
            return null;
        }
        Marker marker;
        try {
            Json.requireWhole(contents, MARKER_LIMIT);
            marker = Json.readMarker(contents);
        } catch (UnreadableException e) {
            throw new MarkerException(
                    "The marker " + path.resolve(MARKER) + " cannot be understood: " + e.getMessage(),
                    "If this is the right directory, write " + example("an id") + " into it.",
                    e);
        }
        if (!marker.kind().equals(kind.text) || !marker.lease().equals(leaseName)) {
            throw new MarkerException(
                    path + " holds the " + marker.kind() + " '" + marker.lease() + "', not the " + kind.text + " '"
                            + leaseName + "'",
                    "Give each lease, and its state, a directory of its own.",
                    null);
        }
        return marker.id();
    }

    /** Creates the marker where there is none and nothing else either; another process may be faster. */
    void createMarker(String id, boolean createDirectory) throws IOException {
        if (createDirectory) {
            files.createDirectory(path);
            syncParent();
        }
        List<String> names = files.list(path);
        if (names.contains(MARKER)) {
            return;
        }
        List<String> others = others(names);
        if (!others.isEmpty()) {
            throw new MarkerException(
                    path + " has no marker, but holds " + others.get(0)
                            + (others.size() > 1 ? " and " + (others.size() - 1) + " more" : ""),
                    "Use an empty directory. If this is the right one and its marker was lost, write " + example(id)
                            + " into " + path.resolve(MARKER) + ".",
                    null);
        }
        whole.create(0, path.resolve(MARKER), Json.write(new Marker(kind.text, leaseName, id)));
        files.sync(path);
    }

    /** What is in the directory that a new one does not hold. The place for the state may be there, with nothing in it. */
    private List<String> others(List<String> names) throws IOException {
        List<String> others = new ArrayList<>();
        for (String name : names) {
            if (!isHidden(name) && !name.equals("lost+found") && !isEmptyDirectory(name)) {
                others.add(name);
            }
        }
        Collections.sort(others);
        return others;
    }

    private boolean isEmptyDirectory(String name) throws IOException {
        try {
            return files.list(path.resolve(name)).stream().allMatch(EpochDirectory::isHidden);
        } catch (NotDirectoryException | NoSuchFileException e) {
            return false;
        }
    }

    private static boolean isHidden(String name) {
        return name.startsWith(".");
    }

    /** A new directory, with all that it will hold, is durable only once its parent is. */
    private void syncParent() throws IOException {
        Path parent = path.getParent();
        if (parent == null) {
            return;
        }
        try {
            files.sync(parent);
        } catch (AccessDeniedException e) {
            LOG.warn(
                    "{} may not be read, so it is not known whether {} would outlive a power failure now",
                    parent,
                    path,
                    e);
        }
    }

    /** What the marker with an id looks like. */
    String example(String id) {
        return "{\"kind\":\"" + kind.text + "\",\"lease\":\"" + leaseName + "\",\"id\":\"" + id + "\"}";
    }

    private static long epochOf(String name) {
        Matcher matcher = EPOCH.matcher(name);
        if (!matcher.matches()) {
            return 0;
        }
        try {
            return Long.parseLong(matcher.group(1));
        } catch (NumberFormatException beyondWhatAnEpochCanBe) {
            return 0;
        }
    }
}
