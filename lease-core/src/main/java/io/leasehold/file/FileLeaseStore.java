package io.leasehold.file;

import io.leasehold.file.EpochDirectory.Kind;
import io.leasehold.json.Json;
import io.leasehold.json.Json.UnreadableException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.UnsuitableStoreException;
import io.leasehold.store.WriteOutcome;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease in a directory of a file system that all contenders share: one file per epoch, so that no file ever has two
 * writers. The epoch is in the file's name: contents that are lost or garbled cannot lower it.
 *
 * <p>What is needed of the file system: creating a link, or a file, exclusively; a rename that is atomic; and listings that
 * show a file created by another host. NFS with its default mount options has that when, as here, directories and files are
 * opened and read; {@code nocto}, lookup caches and an {@code async} export take it away. Safe for use by several threads.
 */
public final class FileLeaseStore implements LeaseStore {
    /** Old epochs this far below the newest are deleted, once they are also old. */
    private static final int KEPT_EPOCHS = 128;

    private static final Duration KEPT_TIME = Duration.ofDays(1);

    /** A lease's file has a few hundred bytes; what is larger is not one, and is compared by its beginning. */
    private static final int FILE_LIMIT = 64 * 1024;

    /** Each repetition of a read means that one more term has begun meanwhile. */
    private static final int READ_ATTEMPTS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(FileLeaseStore.class);

    private final EpochDirectory directory;
    private final boolean create;
    private volatile String reported = "";

    FileLeaseStore(EpochDirectory directory, boolean create) {
        this.directory = directory;
        this.create = create;
    }

    /**
     * Opens the lease in a directory, and checks that the directory can hold it.
     *
     * @param path the directory; its last component is created where it is missing and the options allow it
     * @param leaseName the lease's name, which the directory's marker has to show
     * @param options how directories and files are made
     * @return the store
     * @throws UnsuitableStoreException when the directory cannot hold the lease until a person changes something
     */
    public static FileLeaseStore open(Path path, String leaseName, FileStoreOptions options) {
        Path absolute = path.toAbsolutePath().normalize();
        FileOperations files = new SystemFiles(options);
        EpochDirectory directory = new EpochDirectory(absolute, Kind.LEASE, leaseName, files);
        new DirectoryCheck(absolute, files, options.create()).check(directory);
        return new FileLeaseStore(directory, options.create());
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        long highest = 0;
        try {
            for (int attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
                String id = directory.markerId();
                highest = EpochDirectory.highest(directory.epochs());
                if (highest == 0) {
                    return LeaseSnapshot.empty(id);
                }
                byte[] contents = directory.read(highest, FILE_LIMIT);
                if (contents != null && EpochDirectory.highest(directory.epochs()) == highest) {
                    return snapshot(id, highest, contents);
                }
            }
        } catch (NoSuchFileException e) {
            return LeaseSnapshot.empty(null);
        } catch (IOException e) {
            throw failure("could not be read", e);
        }
        throw new LeaseStoreException("The lease at " + directory.path() + " changed at every one of " + READ_ATTEMPTS
                + " attempts to read it; " + directory.file(highest) + " was listed last");
    }

    @Override
    public void initialize() throws LeaseStoreException {
        try {
            directory.createMarker(UUID.randomUUID().toString(), create);
        } catch (IOException e) {
            throw failure("could not be created", e);
        }
    }

    @Override
    public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        try {
            return next.sequence() == 0 ? claim(expected, next) : renew(expected, next);
        } catch (IOException e) {
            throw failure("may or may not have been written, epoch " + next.epoch(), e);
        }
    }

    @Override
    public Closeable watch(Runnable onChange) {
        return DirectoryWatcher.watch(directory.path(), EpochDirectory::isEpochFile, onChange);
    }

    @Override
    public String location() {
        return directory.path().toString();
    }

    /** The name is won by whoever creates it; it counts only where the predecessor still is what was observed. */
    private WriteOutcome claim(LeaseSnapshot expected, LeaseRecord next) throws IOException {
        long epoch = next.epoch();
        if (!directory.create(epoch, Json.write(next))) {
            return WriteOutcome.SUPERSEDED;
        }
        NavigableSet<Long> below = directory.epochs().headSet(epoch, false);
        long predecessor = EpochDirectory.highest(below);
        byte[] contents = predecessor == 0 ? new byte[0] : directory.read(predecessor, FILE_LIMIT);
        if (predecessor != expected.epoch()
                || contents == null
                || !text(contents).equals(expected.contents())) {
            return WriteOutcome.SUPERSEDED;
        }
        return look(expected, epoch);
    }

    private WriteOutcome renew(LeaseSnapshot expected, LeaseRecord next) throws IOException {
        directory.replace(next.epoch(), Json.write(next));
        WriteOutcome outcome;
        try {
            outcome = look(expected, next.epoch());
        } catch (IOException e) {
            LOG.debug("{} could not be listed after a renew", directory.path(), e);
            return WriteOutcome.UNVERIFIED;
        }
        if (outcome == WriteOutcome.CONFIRMED && next.sequence() == 1) {
            cleanUp(next);
        }
        return outcome;
    }

    /** The look after a write: nothing higher, the own file there, and still the same lease. */
    private WriteOutcome look(LeaseSnapshot expected, long epoch) throws IOException {
        NavigableSet<Long> epochs = directory.epochs();
        if (EpochDirectory.highest(epochs) > epoch) {
            return WriteOutcome.SUPERSEDED;
        }
        boolean own = epochs.contains(epoch);
        boolean same = Objects.equals(directory.markerId(), expected.leaseId());
        return own && same ? WriteOutcome.CONFIRMED : WriteOutcome.UNVERIFIED;
    }

    private LeaseSnapshot snapshot(@Nullable String id, long epoch, byte[] contents) throws IOException {
        String text = text(contents);
        try {
            LeaseRecord record = record(contents, epoch);
            return new LeaseSnapshot(id, epoch, text, record, record.ttl());
        } catch (UnreadableException e) {
            if (!reported.equals(text)) {
                reported = text;
                LOG.warn(
                        "{} cannot be understood ({}); its epoch counts, and it may be taken over once it has not changed"
                                + " for the longest ttl known",
                        directory.file(epoch),
                        e.getMessage());
            }
            return new LeaseSnapshot(id, epoch, text, null, longestTtlBelow(epoch));
        }
    }

    private static LeaseRecord record(byte[] contents, long epoch) throws UnreadableException {
        Json.requireWhole(contents, FILE_LIMIT);
        return Json.readLease(contents, epoch);
    }

    /** Where the newest epoch names no ttl, the older ones tell what its holder's may be. */
    private Duration longestTtlBelow(long epoch) throws IOException {
        Duration longest = Duration.ZERO;
        int looks = 0;
        for (long older : directory.epochs().headSet(epoch, false).descendingSet()) {
            LeaseRecord record = readOld(older);
            if (record != null && record.ttl().compareTo(longest) > 0) {
                longest = record.ttl();
            }
            if (++looks == KEPT_EPOCHS) {
                break;
            }
        }
        return longest;
    }

    private @Nullable LeaseRecord readOld(long epoch) throws IOException {
        byte[] contents = directory.read(epoch, FILE_LIMIT);
        try {
            return contents == null ? null : record(contents, epoch);
        } catch (UnreadableException e) {
            return null;
        }
    }

    /** Old epochs are kept a while for people to read; what cannot be understood is never deleted. */
    private void cleanUp(LeaseRecord newest) {
        long upTo = newest.epoch() - KEPT_EPOCHS;
        Instant before = newest.expiresAt().minus(KEPT_TIME);
        try {
            for (long old : directory.epochs().headSet(upTo, true)) {
                LeaseRecord record = readOld(old);
                if (record != null && record.expiresAt().isBefore(before)) {
                    directory.delete(old);
                }
            }
            directory.deleteTemporariesUpTo(upTo);
        } catch (IOException e) {
            LOG.debug("Old epochs in {} could not be deleted", directory.path(), e);
        }
    }

    private LeaseStoreException failure(String what, IOException cause) {
        return new LeaseStoreException("The lease at " + directory.path() + " " + what + ": " + describe(cause), cause);
    }

    static String describe(IOException cause) {
        return cause instanceof MarkerException ? String.valueOf(cause.getMessage()) : cause.toString();
    }

    /** The bytes as text, one character for each, so that equal texts mean equal bytes. */
    private static String text(byte[] contents) {
        return new String(contents, StandardCharsets.ISO_8859_1);
    }
}
