package io.leasehold.torture;

import io.leasehold.LeaderLease;
import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One process that contends for a lease, works while it leads, and writes down what it saw. It does what lines on its
 * standard input say, and closes and ends with them.
 */
final class ReplicaProgram {
    static final String STEP_DOWN = "step-down";
    static final String CLOCK = "clock";
    static final String USE_UP_FILES = "use-up-files";
    static final String USE_UP_HEAP = "use-up-heap";

    private static final Duration LONGEST_CALL = Duration.ofSeconds(20);

    private final LeaderLease lease;
    private final History history;

    private ReplicaProgram(LeaderLease lease, History history) {
        this.lease = lease;
        this.history = history;
    }

    /** The arguments are those of {@link ReplicaSettings}. */
    public static void main(String[] arguments) throws IOException {
        ReplicaSettings settings = ReplicaSettings.parse(arguments);
        try (History history = new History(settings.history())) {
            LeaderLease lease = new LeaderLease(
                    settings.leaseSettings(),
                    FileLeaseStore.open(settings.lease(), ReplicaSettings.LEASE_NAME, FileStoreOptions.DEFAULTS),
                    FileStateStore.open(settings.state(), ReplicaSettings.LEASE_NAME, FileStoreOptions.DEFAULTS));
            HeldWatch watch = new HeldWatch(history);
            EventWork work = new EventWork(history, watch);
            lease.addListener(work);
            lease.addObserver(new HistoryObserver(history));
            watch.begin();
            new ReplicaProgram(lease, history).run();
            work.awaitPairs(LONGEST_CALL);
            history.note(HistoryEvent.CLOSED, 0, 0, HistoryLine.NO_DETAIL);
        }
    }

    private void run() throws IOException {
        history.note(HistoryEvent.STARTED, 0, System.currentTimeMillis(), HistoryLine.NO_DETAIL);
        lease.start();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            carryOut(command.split(" ", -1));
        }
        lease.close();
    }

    private void carryOut(String... command) {
        switch (command[0]) {
            case STEP_DOWN -> lease.stepDown();
            case CLOCK -> history.note(HistoryEvent.CLOCK, 0, System.currentTimeMillis(), HistoryLine.NO_DETAIL);
            case USE_UP_FILES -> Scarcity.useUpFiles(Duration.parse(command[1]));
            case USE_UP_HEAP -> Scarcity.useUpHeap(Duration.parse(command[1]));
            default -> throw new IllegalArgumentException("No command is called " + command[0]);
        }
        history.note(HistoryEvent.DONE, 0, 0, command[0]);
    }
}
