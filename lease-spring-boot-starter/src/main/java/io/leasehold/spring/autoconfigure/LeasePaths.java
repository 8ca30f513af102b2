package io.leasehold.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The directories that the properties name. */
final class LeasePaths {

    private LeasePaths() {}

    static Path lease(LeaseProperties properties) {
        String path = properties.file().path();
        if (path == null || path.isBlank()) {
            throw new LeaseConfigurationException(
                    "lease.file.path is not set: the lease is to be kept in files, and there is no directory for them.",
                    "Set lease.file.path to a directory on a file system that all replicas share.");
        }
        return parse("lease.file.path", path);
    }

    /** The directory of the state, which is not that of the lease. */
    static Path state(LeaseProperties properties) {
        String path = properties.state().path();
        if (path == null || path.isBlank()) {
            return lease(properties).resolve("state");
        }
        Path state = parse("lease.state.path", path);
        String lease = properties.file().path();
        if (lease != null && real(state).equals(real(parse("lease.file.path", lease)))) {
            throw new LeaseConfigurationException(
                    "lease.state.path and lease.file.path are one directory, " + real(state) + ".",
                    "Set lease.state.path to a directory of its own, or leave it out.");
        }
        return state;
    }

    private static Path parse(String property, String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new LeaseConfigurationException(
                    property + " is not a path: " + e.getReason() + ".", "Set it to the path of a directory.");
        }
    }

    /** With links resolved, as far as the path exists. */
    private static Path real(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        @Nullable Path parent = absolute.getParent();
        try {
            return path.toRealPath();
        } catch (IOException e) {
            // It does not exist yet, or cannot be looked at: the store itself will tell.
            return parent == null ? absolute : real(parent).resolve(absolute.getFileName());
        }
    }
}
