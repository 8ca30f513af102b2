package io.leasehold.spring.autoconfigure;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The directories that the properties name for one lease. */
final class LeasePaths {
    /** What may become the name of a directory as it is. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private final LeaseSpec spec;

    LeasePaths(LeaseSpec spec) {
        this.spec = spec;
    }

    /** False where the lease is kept elsewhere, whatever its directory may be set to. */
    boolean isLeaseSet() {
        return spec.properties().store().equals(ConfiguredStores.FILE) && (ownLease() != null || sharedLease() != null);
    }

    boolean isStateSet() {
        return isLeaseSet() || ownState() != null || sharedState() != null;
    }

    /** The property that the lease's directory comes from. */
    String leaseProperty() {
        return ownLease() != null ? spec.own("file.path") : "lease.file.path";
    }

    /** The property that the state's directory comes from. */
    String stateProperty() {
        if (ownState() != null) {
            return spec.own("state.path");
        }
        return sharedState() != null ? "lease.state.path" : leaseProperty();
    }

    Path lease() {
        String own = ownLease();
        if (own != null) {
            return parse(leaseProperty(), own);
        }
        String shared = sharedLease();
        if (shared == null) {
            throw new LeaseConfigurationException(
                    "lease.file.path is not set: the lease is to be kept in files, and there is no directory for them.",
                    "Set lease.file.path to a directory on a file system that all replicas share.");
        }
        return inherited(leaseProperty(), shared);
    }

    /** The directory of the state, which is not that of the lease. */
    Path state() {
        String own = ownState();
        String shared = sharedState();
        Path state;
        if (own != null) {
            state = parse(stateProperty(), own);
        } else if (shared != null) {
            state = inherited(stateProperty(), shared);
        } else if (isLeaseSet()) {
            return lease().resolve("state");
        } else {
            throw new LeaseConfigurationException(
                    "lease.state.path is not set: the state is to be kept in files, and there is no directory for them.",
                    "Set lease.state.path to a directory on a file system that all replicas share.");
        }
        if (isLeaseSet() && real(state).equals(real(lease()))) {
            throw new LeaseConfigurationException(
                    stateProperty() + " and " + leaseProperty() + " are one directory, " + real(state) + ".",
                    "Set " + stateProperty() + " to a directory of its own, or leave it out.");
        }
        return state;
    }

    /** With links resolved, as far as the path exists. */
    static Path real(Path path) {
        Path absolute = path.toAbsolutePath().normalize();
        for (Path there = absolute; there != null; there = there.getParent()) {
            Path real = realOrNull(there);
            if (real != null) {
                return real.resolve(there.relativize(absolute)).normalize();
            }
        }
        return absolute;
    }

    /** Null where it does not exist yet, or cannot be looked at: the store itself will tell. */
    private static @Nullable Path realOrNull(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return null;
        }
    }

    /** What all leases share is the parent of what one of several has. */
    private Path inherited(String property, String shared) {
        Path path = parse(property, shared);
        String name = spec.name();
        if (spec.own() == null || name == null) {
            return path;
        }
        if (!PLAIN.matcher(name).matches()) {
            throw new LeaseConfigurationException(
                    "The lease '" + name + "' has no directory: its name cannot be that of one below " + property + ".",
                    "Set " + spec.own(property.substring("lease.".length()))
                            + ", or use only letters, digits, '.', '_' and '-' in the name.");
        }
        return path.resolve(name);
    }

    private @Nullable String ownLease() {
        return spec.own() == null ? null : orNull(spec.own().file().path());
    }

    private @Nullable String ownState() {
        return spec.own() == null ? null : orNull(spec.own().state().path());
    }

    private @Nullable String sharedLease() {
        return orNull(spec.properties().file().path());
    }

    private @Nullable String sharedState() {
        return orNull(spec.properties().state().path());
    }

    private static @Nullable String orNull(@Nullable String path) {
        return path == null || path.isBlank() ? null : path;
    }

    private static Path parse(String property, String path) {
        try {
            return Path.of(path);
        } catch (InvalidPathException e) {
            throw new LeaseConfigurationException(
                    property + " is not a path: " + e.getReason() + ".", "Set it to the path of a directory.");
        }
    }
}
