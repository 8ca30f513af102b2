package io.leasehold.sample.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The temporary directory of a run, which only its owner can enter: histories, logs, the lease, and what the processes
 * themselves regard as the temporary directory.
 *
 * @param path the directory
 */
record DemoDirectory(Path path) {

    /** Makes it. */
    static DemoDirectory create() throws IOException {
        Path path = Files.createTempDirectory(
                "leasehold-demo-", PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        DemoDirectory directory = new DemoDirectory(path);
        Files.createDirectory(directory.histories());
        Files.createDirectory(directory.temporary());
        return directory;
    }

    Path histories() {
        return path.resolve("histories");
    }

    Path temporary() {
        return path.resolve("tmp");
    }

    Path lease() {
        return path.resolve("lease");
    }

    Path log(String process) {
        return path.resolve(process + ".log");
    }

    /** Where the replicas keep their state. */
    Path state() {
        return lease().resolve("state");
    }

    /** Deletes it and everything in it. */
    void delete() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(path)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : deepestFirst) {
            Files.deleteIfExists(each);
        }
    }
}
