package io.leasehold;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import java.nio.file.Path;
import java.util.Map;

/** The least that an application does, with nothing but what it needs on its class path. */
public final class MinimalProgram {
    private MinimalProgram() {}

    /** Leads once and commits; returns what a successor would read. */
    public static Map<String, String> lead(Path directory) throws InterruptedException {
        FileStateStore states = FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS);
        try (LeaderLease lease = new LeaderLease(
                LeaseSettings.builder("orders").build(),
                FileLeaseStore.open(directory.resolve("lease"), "orders", FileStoreOptions.DEFAULTS),
                states)) {
            lease.start();
            while (!lease.isHeld()) {
                MILLISECONDS.sleep(5);
            }
            lease.state().commit("epoch", Long.toString(lease.requireEpoch()));
        }
        return states.snapshot();
    }
}
