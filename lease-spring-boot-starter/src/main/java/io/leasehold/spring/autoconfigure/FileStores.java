package io.leasehold.spring.autoconfigure;

import io.leasehold.LeaseSettings;
import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.UnsuitableStoreException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories that the properties name. An application that is taken for the only instance, and names none, keeps
 * everything in memory.
 */
final class FileStores implements StoreBackEnd {
    private static final Logger LOG = LoggerFactory.getLogger(FileStores.class);

    private final LeaseProperties properties;

    FileStores(LeaseProperties properties) {
        this.properties = properties;
    }

    @Override
    public String store() {
        return ConfiguredStores.FILE;
    }

    @Override
    public LeaseStore leaseStore(LeaseSettings settings) {
        LeasePaths paths = paths(settings);
        if (!properties.enabled() && !paths.isLeaseSet()) {
            return new MemoryLeaseStore();
        }
        return open(paths.leaseProperty(), () -> FileLeaseStore.open(paths.lease(), settings.name(), options()));
    }

    @Override
    public StateStore stateStore(LeaseSettings settings) {
        LeasePaths paths = paths(settings);
        if (!properties.enabled() && !paths.isStateSet()) {
            LOG.warn(
                    "Lease {}: no directory is set, so its state is kept in memory and lost with this process",
                    settings.name());
            return new MemoryStateStore();
        }
        return open(paths.stateProperty(), () -> FileStateStore.open(paths.state(), settings.name(), options()));
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
        } catch (UnsuitableStoreException e) {
            throw new LeaseConfigurationException(
                    "The directory set by " + property + " cannot be used: " + e.problem(), e.action(), e);
        }
    }
}
