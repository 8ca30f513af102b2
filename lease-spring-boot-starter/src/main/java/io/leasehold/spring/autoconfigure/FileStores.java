package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.file.UnsuitableDirectoryException;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.spring.LeaseStores;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories that the properties name. An application that is taken for the only instance, and names none, keeps
 * everything in memory.
 */
final class FileStores implements LeaseStores {
    private static final Logger LOG = LoggerFactory.getLogger(FileStores.class);

    private final LeaseProperties properties;

    FileStores(LeaseProperties properties) {
        this.properties = properties;
    }

    @Override
    public LeaseStore leaseStore(LeaseSettings settings) {
        if (!properties.store().equals("file")) {
            throw new LeaseConfigurationException(
                    "lease.store is '" + properties.store() + "', and there is no such store.",
                    "Set it to 'file', or leave it out and define a LeaseStore bean.");
        }
        LeasePaths paths = paths(settings);
        if (!properties.enabled() && !paths.isLeaseSet()) {
            return new MemoryLeaseStore();
        }
        return open(paths.leaseProperty(), () -> FileLeaseStore.open(paths.lease(), settings.name(), options()));
    }

    @Override
    public Optional<StateStore> stateStore(LeaseSettings settings) {
        LeasePaths paths = paths(settings);
        if (!properties.enabled() && !paths.isStateSet()) {
            LOG.warn(
                    "Lease {}: no directory is set, so its state is kept in memory and lost with this process",
                    settings.name());
            return Optional.of(new MemoryStateStore());
        }
        return Optional.of(
                open(paths.stateProperty(), () -> FileStateStore.open(paths.state(), settings.name(), options())));
    }

    private LeasePaths paths(LeaseSettings settings) {
        LeaseProperties.Named own = properties.leases().get(settings.name());
        return new LeasePaths(new LeaseSpec(properties, settings.name(), own));
    }

    private FileStoreOptions options() {
        return new FileStoreOptions(
                properties.file().create(), properties.file().groupAccess());
    }

    private static <T> T open(String property, Supplier<T> store) {
        try {
            return store.get();
        } catch (UnsuitableDirectoryException e) {
            throw new LeaseConfigurationException(
                    "The directory set by " + property + " cannot be used: " + e.problem(), e.action(), e);
        }
    }
}
