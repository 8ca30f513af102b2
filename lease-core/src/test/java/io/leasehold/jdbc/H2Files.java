package io.leasehold.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An H2 database in a file of its own for each process. */
final class H2Files {
    private static final Path DIRECTORY = create();

    private H2Files() {}

    private static Path create() {
        try {
            Path target = Files.createDirectories(Path.of("target").toAbsolutePath());
            return Files.createTempDirectory(target, "h2-");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static String url() {
        return "jdbc:h2:file:" + DIRECTORY.resolve("lease");
    }
}
