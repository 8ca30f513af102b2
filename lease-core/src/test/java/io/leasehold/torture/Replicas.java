package io.leasehold.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;

/**
 * All processes of one scenario, which end with it whatever happens: a hook ends them when the machine that runs the tests
 * is shut down first. Used by one thread.
 */
final class Replicas implements AutoCloseable {
    /** Far longer than any recovery takes: how long it took is measured, and a busy machine is no failure. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ProgramCode code;
    private final Path histories;
    private final Timing timing;
    private final List<Replica> all = new ArrayList<>();
    private final Map<String, Integer> starts = new HashMap<>();
    private final Cleanup cleanup = new Cleanup(this::killAll);

    Replicas(ProgramCode code, Path histories, Timing timing) {
        this.code = code;
        this.histories = histories;
        this.timing = timing;
    }

    Replica start(Host host) throws IOException {
        String name = host.name() + "-" + starts.merge(host.name(), 1, Integer::sum);
        ReplicaSettings settings = new ReplicaSettings(
                host.lease(),
                host.state(),
                histories.resolve(name + ".history"),
                timing.ttl(),
                timing.drain(),
                timing.skew());
        Replica replica = new Replica(name, host, settings, code);
        synchronized (all) {
            all.add(replica);
        }
        return replica;
    }

    List<Replica> alive() {
        return all.stream().filter(Replica::isAlive).toList();
    }

    /** Whoever has the newest term that it does not know to be over. */
    Optional<Replica> leader() throws IOException {
        Replica leader = null;
        long highest = 0;
        for (Replica replica : alive()) {
            long epoch = heldEpoch(replica.lines());
            if (epoch > highest) {
                highest = epoch;
                leader = replica;
            }
        }
        return Optional.ofNullable(leader);
    }

    /** Waits until somebody leads, and says so after this call. */
    Replica awaitLeader() {
        return awaitLeader(alive());
    }

    /** Waits until one of these leads, and says so after this call. */
    Replica awaitLeader(List<Replica> candidates) {
        long sinceNs = System.nanoTime();
        return Awaitility.await("somebody leads")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> since(candidates, HistoryEvent.HELD, sinceNs), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until somebody has a commit acknowledged that it calls after this. */
    void awaitCommit() {
        long sinceNs = System.nanoTime();
        Awaitility.await("somebody commits")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> since(alive(), HistoryEvent.ACKNOWLEDGED, sinceNs), Optional::isPresent);
    }

    /** Waits until a replica has written something down after a time. */
    HistoryLine awaitLine(Replica replica, HistoryEvent event, long sinceNs) {
        return Awaitility.await(replica.name() + " notes " + event)
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> lastSince(replica, event, sinceNs), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until a term of this replica that it held at a time, or began later, is over. */
    void awaitOver(Replica replica, long sinceNs) {
        Awaitility.await(replica.name() + " does not lead")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> heldEpoch(replica.lines()) == 0 || replica.has(HistoryEvent.OVER, sinceNs));
    }

    private static Optional<HistoryLine> lastSince(Replica replica, HistoryEvent event, long sinceNs)
            throws IOException {
        List<HistoryLine> lines = replica.lines();
        for (int i = lines.size() - 1; i >= 0 && lines.get(i).toNs() - sinceNs > 0; i--) {
            if (lines.get(i).event() == event && lines.get(i).fromNs() - sinceNs > 0) {
                return Optional.of(lines.get(i));
            }
        }
        return Optional.empty();
    }

    private static Optional<Replica> since(List<Replica> candidates, HistoryEvent event, long sinceNs)
            throws IOException {
        for (Replica replica : candidates) {
            if (lastSince(replica, event, sinceNs).isPresent()) {
                return Optional.of(replica);
            }
        }
        return Optional.empty();
    }

    private static long heldEpoch(List<HistoryLine> lines) {
        long over = 0;
        for (int i = lines.size() - 1; i >= 0; i--) {
            HistoryLine line = lines.get(i);
            if (line.event() == HistoryEvent.OVER) {
                over = Math.max(over, line.epoch());
            } else if (line.event() == HistoryEvent.HELD) {
                return line.epoch() > over ? line.epoch() : 0;
            }
        }
        return 0;
    }

    /** Ends everything by its own doing, and returns all histories. */
    List<ProcessHistory> finish() throws IOException, InterruptedException {
        for (Replica replica : alive()) {
            if (replica.isPaused()) {
                replica.resume();
            }
        }
        for (Replica replica : alive()) {
            replica.finish();
        }
        List<ProcessHistory> histories = new ArrayList<>();
        for (Replica replica : all) {
            replica.assertEndedWell();
            histories.add(replica.history());
        }
        return histories;
    }

    @Override
    public void close() {
        cleanup.close();
    }

    private void killAll() throws InterruptedException {
        synchronized (all) {
            all.forEach(Replica::destroy);
            for (Replica replica : all) {
                replica.endNow();
            }
        }
    }
}
