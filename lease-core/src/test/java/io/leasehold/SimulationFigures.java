package io.leasehold;

import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.LeaseCounts.RenewOutcome;
import java.util.EnumMap;
import java.util.Map;

/** What happened in simulated histories, so that one sees that something did. */
final class SimulationFigures {
    long histories;
    long events;
    long operations;
    long failedOperations;
    long terms;
    long takeovers;
    long releases;
    long crashes;
    long incidents;
    /** Histories in which a file was torn that only a person can repair. */
    long tornForGood;

    private final Map<SurrenderReason, Long> surrendered = new EnumMap<>(SurrenderReason.class);
    private final Map<RenewOutcome, Long> renewals = new EnumMap<>(RenewOutcome.class);
    private final Map<CommitOutcome, Long> commits = new EnumMap<>(CommitOutcome.class);

    void add(LeaseCounts counts) {
        counts.surrendered().forEach((reason, count) -> surrendered.merge(reason, count, Long::sum));
        counts.renewals().forEach((outcome, count) -> renewals.merge(outcome, count, Long::sum));
        counts.commits().forEach((outcome, count) -> commits.merge(outcome, count, Long::sum));
    }

    long of(SurrenderReason reason) {
        return surrendered.getOrDefault(reason, 0L);
    }

    long of(RenewOutcome outcome) {
        return renewals.getOrDefault(outcome, 0L);
    }

    long of(CommitOutcome outcome) {
        return commits.getOrDefault(outcome, 0L);
    }

    @Override
    public String toString() {
        return histories + " histories, " + events + " events, " + operations + " file operations ("
                + failedOperations + " failed), " + terms + " terms, " + takeovers + " from one process to another, "
                + releases + " releases, " + crashes + " crashes, " + incidents
                + " incidents of the storage, " + tornForGood
                + " files torn where links are not possible; surrenders "
                + surrendered + ", renewals " + renewals + ", commits " + commits;
    }
}
