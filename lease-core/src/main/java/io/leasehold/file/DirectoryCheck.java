package io.leasehold.file;

import io.leasehold.store.UnsuitableStoreException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out at the start what only a person can mend. What may pass by itself, such as a storage that does not answer, is
 * not refused: the election waits for it.
 */
final class DirectoryCheck {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryCheck.class);

    private final Path path;
    private final FileOperations files;
    private final boolean create;

    DirectoryCheck(Path path, FileOperations files, boolean create) {
        this.path = path;
        this.files = files;
        this.create = create;
    }

    /** Checks a directory that has to be there, or is created. */
    void check(EpochDirectory directory) {
        requireSupported();
        Path parent = path.getParent();
        if (parent == null) {
            throw unsuitable("is the root of a file system", "Name a directory below it.", null);
        }
        if (!Files.isDirectory(parent)) {
            throw unsuitable(
                    "has no parent directory",
                    "Create " + parent
                            + ", or mount the volume that it is on; only the last part of the path is created.",
                    null);
        }
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw unsuitable("is not a directory", "Name a directory, or move the file away.", null);
        }
        if (!Files.exists(path) && !create) {
            throw unsuitable(
                    "does not exist", "Create it, or mount the volume that it is on; lease.file.create is off.", null);
        }
        try {
            probe(directory);
        } catch (AccessDeniedException e) {
            throw unsuitable(
                    "cannot be used by user " + System.getProperty("user.name") + ", " + e.getFile() + " denies access",
                    "Give this user the right to read and write it, or make it and its files group-writable"
                            + " (lease.file.group-access) where the replicas run as different users.",
                    e);
        } catch (MarkerException e) {
            throw unsuitable("cannot be used: " + e.getMessage(), e.action(), e);
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains("File name too long")) {
                throw unsuitable("is too long for the file system", "Choose a shorter path.", e);
            }
            if (isReadOnly(e)) {
                throw unsuitable("is on a read-only file system", "Mount it writable.", e);
            }
            LOG.warn("{} cannot be checked now; the lease waits until it can be used", path, e);
        }
    }

    private void probe(EpochDirectory directory) throws IOException {
        if (create) {
            files.createDirectory(path);
        }
        directory.markerId();
        long highest = EpochDirectory.highest(directory.epochs());
        if (highest > 0) {
            directory.read(highest, 1);
        }
        Path probe = path.resolve(".0." + UUID.randomUUID() + ".tmp");
        try {
            files.create(probe, new byte[0]);
        } finally {
            files.delete(probe);
        }
    }

    /** The file stores rely on atomic renames and exclusive links as POSIX has them. */
    private void requireSupported() {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            throw unsuitable(
                    "is on a file system without POSIX semantics, which the file store does not support yet (Windows)",
                    "Run on Linux or macOS, or use another store.",
                    null);
        }
    }

    private static boolean isReadOnly(IOException e) {
        return e.getCause() instanceof ReadOnlyFileSystemException
                || String.valueOf(e.getMessage()).contains("Read-only file system");
    }

    private UnsuitableStoreException unsuitable(String problem, String action, @Nullable Throwable cause) {
        return new UnsuitableStoreException(path + " " + problem + ".", action, cause);
    }
}
