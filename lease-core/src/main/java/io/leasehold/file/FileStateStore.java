package io.leasehold.file;

import io.leasehold.file.EpochDirectory.Kind;
import io.leasehold.json.Json;
import io.leasehold.json.Json.Segment;
import io.leasehold.json.Json.UnreadableException;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.UnsuitableStoreException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fenced state in a directory of a shared file system: one segment per epoch, rewritten only by the leader of that
 * epoch. Creating a segment seals all lower ones, because a commit writes first and then looks for a higher segment.
 *
 * <p>The needs of the file system are those of {@link FileLeaseStore}. Safe for use by several threads.
 */
public final class FileStateStore implements StateStore {
    /** How many segments below the newest are kept, for people to look at. */
    private static final int KEPT_SEGMENTS = 2;

    /** The largest state that a commit may write, in bytes. */
    private static final int LARGEST_STATE = 256 * 1024 * 1024;

    /** What another holder's id can add to a state of that size; its successor has to be able to write and read it. */
    private static final int FRAME = 64 * 1024;

    /** Each repetition of a read means that segments were cleaned up meanwhile, because a newer one was opened. */
    private static final int READ_ATTEMPTS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(FileStateStore.class);

    private final EpochDirectory directory;
    private final boolean create;
    private final int largestState;
    private volatile @Nullable String knownId;

    FileStateStore(EpochDirectory directory, boolean create) {
        this(directory, create, LARGEST_STATE);
    }

    FileStateStore(EpochDirectory directory, boolean create, int largestState) {
        this.directory = directory;
        this.create = create;
        this.largestState = largestState;
    }

    /**
     * Opens the state in a directory, and checks that the directory can hold it.
     *
     * @param path the directory; its last component is created where it is missing and the options allow it
     * @param leaseName the lease's name, which the directory's marker has to show
     * @param options how directories and files are made
     * @return the store
     * @throws UnsuitableStoreException when the directory cannot hold the state until a person changes something
     */
    public static FileStateStore open(Path path, String leaseName, FileStoreOptions options) {
        Path absolute = path.toAbsolutePath().normalize();
        FileOperations files = new SystemFiles(options);
        EpochDirectory directory = new EpochDirectory(absolute, Kind.STATE, leaseName, files);
        new DirectoryCheck(absolute, files, options.create()).check(directory);
        return new FileStateStore(directory, options.create());
    }

    @Override
    public StateHead head() {
        try {
            String id = markerId();
            long highest = EpochDirectory.highest(directory.epochs());
            if (id == null && highest > 0) {
                throw new StateStoreException(
                        "The state at " + directory.path() + " has segments up to epoch " + highest
                                + ", but no marker. If this is the right directory, write "
                                + directory.example("the id in the lease's marker") + " into "
                                + directory.path().resolve(EpochDirectory.MARKER) + ".");
            }
            return new StateHead(highest, id);
        } catch (NoSuchFileException e) {
            return headOfNothing(e);
        } catch (IOException e) {
            throw failure("could not be read", e);
        }
    }

    @Override
    public StateSession open(long epoch, String holder, String leaseId) {
        try {
            requireMarker(leaseId);
            long highest = EpochDirectory.highest(directory.epochs());
            Segment own = highest == epoch ? read(epoch) : null;
            if (highest > epoch
                    || (highest == epoch && (own == null || !own.holder().equals(holder)))) {
                throw new StateFenceException(location(), epoch, highest);
            }
            Segment unseeded = new Segment(leaseId, holder, epoch, 0, false, Map.of());
            if (highest < epoch && !directory.create(epoch, Json.write(unseeded))) {
                throw new StateFenceException(location(), epoch, epoch);
            }
            Map<String, String> entries = own != null && own.seeded() ? entries(own) : newestUpTo(epoch - 1);
            Session session = new Session(leaseId, holder, epoch, entries);
            session.write(session.segment(entries));
            cleanUp(epoch);
            return session;
        } catch (IOException e) {
            throw failure("could not be opened for epoch " + epoch, e);
        }
    }

    @Override
    public Map<String, String> snapshot() {
        if (head().epoch() == 0) {
            return Map.of();
        }
        try {
            return newestUpTo(Long.MAX_VALUE);
        } catch (IOException e) {
            throw failure("could not be read", e);
        }
    }

    @Override
    public String location() {
        return directory.path().toString();
    }

    /** The id in the marker, which never changes once it was seen: an emptied directory and an unmounted one look alike. */
    private @Nullable String markerId() throws IOException {
        String found = directory.markerId();
        String known = knownId;
        if (known == null) {
            knownId = found;
        } else if (!known.equals(found)) {
            throw mismatch(found, known);
        }
        return found;
    }

    /** A state that was never opened has no directory; one that was, has lost it. */
    private StateHead headOfNothing(NoSuchFileException e) {
        if (knownId != null) {
            throw failure("could not be read", e);
        }
        return new StateHead(0, null);
    }

    private void requireMarker(String leaseId) throws IOException {
        String found = markerId();
        if (found == null) {
            directory.createMarker(leaseId, create);
            found = markerId();
        }
        if (!leaseId.equals(found)) {
            throw mismatch(found, leaseId);
        }
    }

    private MarkerException mismatch(@Nullable String found, String expected) {
        return new MarkerException(
                "The state at " + directory.path() + " is not the one that was used before: the id in its marker is "
                        + (found == null ? "missing" : found) + ", and " + expected + " is expected",
                "It may be emptied, not mounted, or another lease's. If it is the right place, confirm that by writing "
                        + directory.example(expected) + " into "
                        + directory.path().resolve(EpochDirectory.MARKER)
                        + ".",
                null);
    }

    /**
     * The newest state up to an epoch that was seeded; what cannot be understood is never passed over for an older one, and
     * neither is what was listed and is gone.
     */
    private Map<String, String> newestUpTo(long epoch) throws IOException {
        for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
            Map<String, String> newest = lookUpTo(epoch);
            if (newest != null) {
                return newest;
            }
        }
        throw new StateStoreException("The state at " + directory.path() + " changed at every one of " + READ_ATTEMPTS
                + " attempts to read it; "
                + directory.file(EpochDirectory.highest(directory.epochs().headSet(epoch, true)))
                + " was listed last");
    }

    private @Nullable Map<String, String> lookUpTo(long epoch) throws IOException {
        for (long lower : directory.epochs().headSet(epoch, true).descendingSet()) {
            Segment segment = read(lower);
            if (segment == null) {
                return null;
            }
            if (segment.seeded()) {
                return entries(segment);
            }
        }
        return Map.of();
    }

    private static Map<String, String> entries(Segment segment) {
        return Collections.unmodifiableMap(segment.entries());
    }

    private @Nullable Segment read(long epoch) throws IOException {
        byte[] contents = directory.read(epoch, largestState + FRAME);
        if (contents == null) {
            return null;
        }
        try {
            Json.requireWhole(contents, largestState + FRAME);
            return Json.readSegment(contents, epoch);
        } catch (UnreadableException e) {
            throw new StateStoreException(
                    directory.file(epoch) + " cannot be understood: " + e.getMessage()
                            + ". Repair it, or restore it from a backup; an older state is never used in its place.",
                    e);
        }
    }

    private void cleanUp(long epoch) {
        try {
            NavigableSet<Long> lower = directory.epochs().headSet(epoch, false);
            lower.descendingSet().stream().skip(KEPT_SEGMENTS).forEach(this::delete);
            directory.deleteTemporariesUpTo(epoch - 1);
        } catch (IOException e) {
            LOG.debug("Old segments in {} could not be deleted", directory.path(), e);
        }
    }

    private void delete(long epoch) {
        try {
            directory.delete(epoch);
        } catch (IOException e) {
            LOG.debug("{} could not be deleted", directory.file(epoch), e);
        }
    }

    private StateStoreException failure(String what, IOException cause) {
        return new StateStoreException(
                "The state at " + directory.path() + " " + what + ": " + FileLeaseStore.describe(cause), cause);
    }

    /** The segment of one epoch. */
    private final class Session implements StateSession {
        private final String leaseId;
        private final String holder;
        private final long epoch;
        private final Map<String, String> seed;
        private long sequence;

        Session(String leaseId, String holder, long epoch, Map<String, String> seed) {
            this.leaseId = leaseId;
            this.holder = holder;
            this.epoch = epoch;
            this.seed = seed;
        }

        @Override
        public Map<String, String> entries() {
            return seed;
        }

        @Override
        public void write(Map<String, String> entries) {
            byte[] contents = segment(entries);
            if (contents.length > largestState) {
                throw new StateStoreException("The state at " + directory.path() + " would have " + contents.length
                        + " bytes, and " + largestState + " are the most that is supported; nothing was written");
            }
            write(contents);
        }

        private byte[] segment(Map<String, String> entries) {
            return Json.write(new Segment(leaseId, holder, epoch, ++sequence, true, new TreeMap<>(entries)));
        }

        private void write(byte[] contents) {
            NavigableSet<Long> epochs;
            String id;
            try {
                directory.replace(epoch, contents);
                epochs = directory.epochs();
                id = markerId();
            } catch (IOException e) {
                throw fencedOr(failure("may or may not have been written", e));
            }
            long highest = EpochDirectory.highest(epochs);
            if (highest > epoch) {
                throw new StateFenceException(location(), epoch, highest);
            }
            if (highest < epoch || !leaseId.equals(id)) {
                throw new StateStoreException("The state at " + directory.path()
                        + " was written, but is not there; it may have been emptied or unmounted meanwhile");
            }
        }

        /** A successor also deletes what its predecessor had begun to write: then that is why it failed. */
        private RuntimeException fencedOr(StateStoreException failure) {
            try {
                long highest = EpochDirectory.highest(directory.epochs());
                if (highest > epoch) {
                    StateFenceException fence = new StateFenceException(location(), epoch, highest);
                    fence.addSuppressed(failure);
                    return fence;
                }
            } catch (IOException e) {
                failure.addSuppressed(e);
            }
            return failure;
        }
    }
}
