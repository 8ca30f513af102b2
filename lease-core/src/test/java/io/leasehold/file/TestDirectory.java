package io.leasehold.file;

import io.leasehold.file.EpochDirectory.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A directory of the lease "orders" or its state, as several processes see it. */
final class TestDirectory {
    final Path path;

    TestDirectory(Path path) {
        this.path = path;
    }

    /** The file operations of one more process. */
    static FaultyFiles files() {
        return new FaultyFiles(new SystemFiles(FileStoreOptions.DEFAULTS));
    }

    EpochDirectory lease(FileOperations files) {
        return new EpochDirectory(path, Kind.LEASE, "orders", files);
    }

    EpochDirectory state(FileOperations files) {
        return new EpochDirectory(path, Kind.STATE, "orders", files);
    }

    FileLeaseStore leaseStore() {
        return leaseStore(files());
    }

    FileLeaseStore leaseStore(FileOperations files) {
        return new FileLeaseStore(lease(files), true);
    }

    FileStateStore stateStore() {
        return stateStore(files());
    }

    FileStateStore stateStore(FileOperations files) {
        return new FileStateStore(state(files), true);
    }

    void write(String name, String contents) throws IOException {
        Files.writeString(path.resolve(name), contents);
    }

    void write(String name, byte[] contents) throws IOException {
        Files.write(path.resolve(name), contents);
    }

    String read(String name) throws IOException {
        return Files.readString(path.resolve(name));
    }

    boolean has(String name) {
        return Files.exists(path.resolve(name));
    }

    void delete(String name) throws IOException {
        Files.delete(path.resolve(name));
    }

    /** The names in the directory, sorted. */
    List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(path)) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
