package io.leasehold.torture;

import io.leasehold.LeaseSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What one process is told on its command line.
 *
 * @param lease the directory of the lease
 * @param state the directory of the state
 * @param history the file that it writes its history to
 * @param ttl how long a term lasts without a confirmed renew
 * @param drain how long the work may take to stop
 * @param skew how far apart wall clocks may be, at a cold start
 */
record ReplicaSettings(Path lease, Path state, Path history, Duration ttl, Duration drain, Duration skew) {
    static final String LEASE_NAME = "tortured";

    List<String> arguments() {
        return List.of(
                lease.toString(),
                state.toString(),
                history.toString(),
                ttl.toString(),
                drain.toString(),
                skew.toString());
    }

    static ReplicaSettings parse(String... arguments) {
        return new ReplicaSettings(
                Path.of(arguments[0]),
                Path.of(arguments[1]),
                Path.of(arguments[2]),
                Duration.parse(arguments[3]),
                Duration.parse(arguments[4]),
                Duration.parse(arguments[5]));
    }

    LeaseSettings leaseSettings() {
        return LeaseSettings.builder(LEASE_NAME)
                .ttl(ttl)
                .drainTimeout(drain)
                .maxClockSkew(skew)
                .build();
    }
}
