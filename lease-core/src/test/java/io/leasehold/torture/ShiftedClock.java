package io.leasehold.torture;

import io.leasehold.Requirements;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The wall clock of one host, which a test sets; its monotonic clock goes on as it does everywhere. */
final class ShiftedClock {
    private final Path library;
    private final Path file;

    /** A clock that is right, and is kept in a file. */
    ShiftedClock(Path file) throws IOException {
        this.library = library().orElseThrow();
        this.file = file;
        shift(Duration.ZERO);
    }

    static void require() throws IOException {
        Requirements.require(library().isPresent(), "there is no libfaketime.so.1, of the package libfaketime");
    }

    private static Optional<Path> library() throws IOException {
        Path libraries = Path.of("/usr/lib");
        if (!Files.isDirectory(libraries)) {
            return Optional.empty();
        }
        try (Stream<Path> directories = Files.list(libraries)) {
            return directories
                    .map(directory -> directory.resolve("faketime").resolve("libfaketime.so.1"))
                    .filter(Files::exists)
                    .findFirst();
        }
    }

    /** Without its own treatment of waits, which takes the monotonic times of a virtual machine for wall-clock ones. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_NO_CACHE", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0");
    }

    /** Sets the clock this far ahead of the right time, or behind it. */
    void shift(Duration ahead) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.writeString(next, String.format(Locale.ROOT, "%+.3f%n", ahead.toMillis() / 1000.0));
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
