package io.leasehold;

import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** The directory of a lease in a test, and what a person, or another process, could do to it. */
final class LeaseDirectory {
    final Path path;

    LeaseDirectory(Path path) {
        this.path = path;
    }

    FileLeaseStore store() {
        return FileLeaseStore.open(path, "orders", FileStoreOptions.DEFAULTS);
    }

    static FileStateStore stateStore(Path path) {
        return FileStateStore.open(path, "orders", FileStoreOptions.DEFAULTS);
    }

    Path file(long epoch) {
        return path.resolve(epoch + ".json");
    }

    Path marker() {
        return path.resolve("marker.json");
    }

    String read(long epoch) {
        try {
            return Files.readString(file(epoch));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(long epoch, String contents) {
        try {
            Files.writeString(file(epoch), contents);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a record of another holder and returns its text. */
    String write(long epoch, long sequence, String ttl, String expiresAt, boolean released) {
        String contents = "{\"holder\":\"another\",\"claim\":\"c" + epoch + "\",\"epoch\":" + epoch + ",\"sequence\":"
                + sequence + ",\"ttl\":\"" + ttl + "\",\"expires_at\":\"" + expiresAt + "\",\"released\":" + released
                + "}";
        write(epoch, contents);
        return contents;
    }

    void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void deleteEpochs() {
        try (Stream<Path> files = Files.list(path)) {
            files.filter(file -> file.getFileName().toString().matches("[0-9]+\\.json"))
                    .forEach(this::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Deletes everything in the directory, and the directory. */
    void deleteAll() {
        try (Stream<Path> files = Files.walk(path)) {
            files.sorted(Comparator.reverseOrder()).forEach(this::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
