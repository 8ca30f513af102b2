package io.leasehold.spring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * The properties of a lease, or of several. What is left out gets the default of {@link io.leasehold.LeaseSettings}.
 *
 * <p>Durations carry their unit, such as {@code 30s} or {@code PT30S}. A number alone counts nanoseconds, so that it is
 * refused as too short instead of being taken for seconds or milliseconds.
 *
 * @param enabled Whether this application contends for its leases. If not, it is taken for the only instance and is always
 *     active.
 * @param name Name of the lease, which all replicas of the application share. Defaults to spring.application.name.
 * @param holderId What the id of this process begins with; a random part always follows. Defaults to the host's name and the
 *     process id.
 * @param store What the lease is kept in.
 * @param file the lease in a directory
 * @param state the state that the lease fences
 * @param ttl How long a term lasts without a confirmed renew, and how long a standby waits before it takes over. Defaults to
 *     30s.
 * @param renewInterval Time from one renew to the next. Defaults to a sixth of the ttl.
 * @param drainTimeout How long listeners may take to stop before the lease is given up. Defaults to a third of the ttl.
 * @param verifyDelay Pause before a failed read or write of the lease is tried again. Defaults to a tenth of the renew
 *     interval, between 50ms and 1s.
 * @param maxClockSkew How far apart the wall clocks of two replicas may be. It counts only when a process that has just
 *     started finds a lease that has expired. Defaults to 60s.
 * @param listeners Listener ids or bean names of what runs only while the lease is held. Defaults to every listener container
 *     found.
 * @param startAttempts How often a listener that fails to start is tried in one term, before the lease is given up so that
 *     another replica can try.
 * @param integrationRole Role of the Spring Integration endpoints that run only while the lease is held. Defaults to the lease's
 *     name.
 * @param leaderOnly methods that only the leader runs
 * @param leases Several leases, by name, instead of one. What is left out for one of them is taken from "lease".
 */
@ConfigurationProperties("lease")
public record LeaseProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String name,
        @Nullable String holderId,
        @DefaultValue("file") String store,
        @DefaultValue File file,
        @DefaultValue State state,
        @DurationUnit(ChronoUnit.NANOS) @Nullable Duration ttl,
        @DurationUnit(ChronoUnit.NANOS) @Nullable Duration renewInterval,
        @DurationUnit(ChronoUnit.NANOS) @Nullable Duration drainTimeout,
        @DurationUnit(ChronoUnit.NANOS) @Nullable Duration verifyDelay,
        @DurationUnit(ChronoUnit.NANOS) @Nullable Duration maxClockSkew,
        @DefaultValue List<String> listeners,
        @DefaultValue("5") int startAttempts,
        @Nullable String integrationRole,
        @DefaultValue LeaderOnly leaderOnly,
        @DefaultValue Map<String, Named> leases) {

    /**
     * The lease in a directory.
     *
     * @param path Directory of the lease, on a file system that all replicas share. Required when the lease is kept in files.
     *     With several leases, each has a directory of its own in it, of its name.
     * @param create Whether the directory is created when it is missing. Its parents never are.
     * @param groupAccess Whether the group of the files may read and write them. Otherwise only their owner can.
     */
    public record File(
            @Nullable String path,
            @DefaultValue("true") boolean create,
            @DefaultValue("false") boolean groupAccess) {}

    /**
     * The state that the lease fences.
     *
     * @param store What the state is kept in. Defaults to files where a path is set, else to what the lease is kept in.
     * @param path Directory of the state. Must not be that of the lease. Defaults to "state" below the lease's directory. With
     *     several leases, each has a directory of its own in it, of its name.
     */
    public record State(@Nullable String store, @Nullable String path) {}

    /**
     * Methods that only the leader runs.
     *
     * @param enabled Whether @LeaderOnly has an effect. If not, such methods run always, which tests may want.
     */
    public record LeaderOnly(@DefaultValue("true") boolean enabled) {}

    /**
     * One of several leases.
     *
     * @param holderId What the id of this process begins with in this lease; a random part always follows.
     * @param file this lease in a directory of its own
     * @param state the state that this lease fences
     * @param ttl How long a term of this lease lasts without a confirmed renew.
     * @param renewInterval Time from one renew of this lease to the next.
     * @param drainTimeout How long listeners may take to stop before this lease is given up.
     * @param verifyDelay Pause before a failed read or write of this lease is tried again.
     * @param maxClockSkew How far apart the wall clocks of two replicas may be, for this lease.
     * @param listeners Listener ids or bean names of what runs only while this lease is held. Defaults to none.
     * @param startAttempts How often a listener that fails to start is tried in one term of this lease.
     * @param integrationRole Role of the Spring Integration endpoints that run only while this lease is held. Defaults to the
     *     lease's name.
     */
    public record Named(
            @Nullable String holderId,
            @DefaultValue NamedDirectory file,
            @DefaultValue NamedDirectory state,
            @DurationUnit(ChronoUnit.NANOS) @Nullable Duration ttl,
            @DurationUnit(ChronoUnit.NANOS) @Nullable Duration renewInterval,
            @DurationUnit(ChronoUnit.NANOS) @Nullable Duration drainTimeout,
            @DurationUnit(ChronoUnit.NANOS) @Nullable Duration verifyDelay,
            @DurationUnit(ChronoUnit.NANOS) @Nullable Duration maxClockSkew,
            @DefaultValue List<String> listeners,
            @Nullable Integer startAttempts,
            @Nullable String integrationRole) {}

    /**
     * A directory of one of several leases.
     *
     * @param path Directory of this lease or of its state. Defaults to one of the lease's name in that of all leases.
     */
    public record NamedDirectory(@Nullable String path) {}
}
