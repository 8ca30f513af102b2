package io.leasehold.spring;

import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import java.nio.file.Path;
import java.time.Duration;

/** Holds a lease on behalf of another process, so that the replicas of a test stand by. */
final class LeaseElsewhere {
    /** Longer than any machine that is busy with tests stands still. */
    private static final LeaseSettings SETTINGS =
            LeaseSettings.builder("orders").ttl(Duration.ofMinutes(2)).build();

    private LeaseElsewhere() {}

    /** Returns when it is held; closing it releases it. */
    static LeaderLease hold(Path directory) {
        LeaderLease other = new LeaderLease(
                SETTINGS,
                FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS),
                FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS));
        other.start();
        await().until(other::isHeld);
        return other;
    }
}
