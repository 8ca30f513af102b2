package io.leasehold.sample.demo;

import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.sample.process.SharedNames;
import io.leasehold.state.StateStore;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the checkpoint from the state that the replicas commit to. Creates nothing there. Used by one thread. */
final class StoredCheckpoint {
    private static final FileStoreOptions ONLY_WHAT_IS_THERE = new FileStoreOptions(false, false);

    private final Path directory;
    private @Nullable StateStore state;

    StoredCheckpoint(Path directory) {
        this.directory = directory;
    }

    /**
     * The last event that the state covers; 0 where there is no checkpoint yet. Allowed once a replica has led.
     *
     * @throws io.leasehold.store.UnsuitableStoreException when there is no state
     * @throws io.leasehold.state.StateStoreException when the state cannot be read
     */
    long read() {
        StateStore opened = state;
        if (opened == null) {
            opened = FileStateStore.open(directory, Processes.LEASE_NAME, ONLY_WHAT_IS_THERE);
            state = opened;
        }
        return Long.parseLong(opened.snapshot().getOrDefault(SharedNames.CHECKPOINT, "0"));
    }
}
