package io.leasehold;

import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.LeaseCounts.RenewOutcome;
import io.leasehold.SimulatedHost.Cause;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.file.SimulatedFiles.Outcome;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What happened in simulated histories, so that one sees that something did. */
final class SimulationFigures {
    /** What can go wrong, or is asked for; a simulation in which one of them never happens is a weaker one. */
    enum Happening {
        INPUT_OUTPUT_ERROR,
        STALE_FILE_HANDLE,
        NO_SPACE_LEFT,
        REPLY_LOST,
        WRITE_TORN,
        WRITE_LANDED_LATE,
        STALE_LISTING,
        TASK_STALLED,
        HOST_STOPPED,
        HOST_SUSPENDED,
        BOTH_CLOCKS_STOOD_STILL,
        WALL_CLOCK_STEPPED,
        CLOCKS_SLEWED,
        CRASH,
        RESTART,
        STEP_DOWN,
        CLOSE,
        START_AGAIN,
        CHANGE_TOLD,
        SUPERFLUOUS_NOTICE,
        LISTENER_LATE,
        LISTENER_FAILED,
        COMMIT_AFTER_ITS_TERM,
        EMPTIED,
        RESTORED,
        REMOVED,
        UNMOUNTED,
        GARBLED,
        POWER_FAILURE,
        FAIL_OVER
    }

    long histories;
    long events;
    long operations;
    long terms;
    long takeovers;
    long releases;
    /** Histories in which a file was torn that only a person can repair. */
    long tornForGood;

    long hotStandbys;
    /** The longest time without a leader after all trouble, in percent of the longest ttl and one renew interval. */
    double longestGapPercent;

    /** The same after the last renew of a leader that died: percent of its ttl, where changes are told at once. */
    double longestTakeoverPercent;

    /** The same where they are not: percent of its ttl and one renew interval. */
    double longestPolledTakeoverPercent;

    private final Map<SimulationKind, Long> kinds = new EnumMap<>(SimulationKind.class);
    private final Map<Integer, Long> sizes = new TreeMap<>();
    private final Map<Happening, Long> happenings = new EnumMap<>(Happening.class);
    private final Map<Rule, Long> excused = new EnumMap<>(Rule.class);
    private final Map<SurrenderReason, Long> surrendered = new EnumMap<>(SurrenderReason.class);
    private final Map<RenewOutcome, Long> renewals = new EnumMap<>(RenewOutcome.class);
    private final Map<CommitOutcome, Long> commits = new EnumMap<>(CommitOutcome.class);

    void begin(SimulationScenario scenario) {
        histories++;
        kinds.merge(scenario.kind, 1L, Long::sum);
        sizes.merge(scenario.settings.size(), 1L, Long::sum);
    }

    void count(Happening happening) {
        happenings.merge(happening, 1L, Long::sum);
    }

    /** An operation that did not succeed. */
    void count(Outcome outcome, Cause cause) {
        count(Happening.valueOf(cause.name()));
        if (outcome == Outcome.LOSES_ITS_REPLY) {
            count(Happening.REPLY_LOST);
        } else if (outcome == Outcome.IS_TORN) {
            count(Happening.WRITE_TORN);
        }
    }

    /** A leader died, and a hot standby took over after some part of the time that it may take without any delay. */
    void tookOver(boolean changesAreTold, double percent) {
        hotStandbys++;
        if (changesAreTold) {
            longestTakeoverPercent = Math.max(longestTakeoverPercent, percent);
        } else {
            longestPolledTakeoverPercent = Math.max(longestPolledTakeoverPercent, percent);
        }
    }

    /** A history that broke a rule which need not hold in its kind. */
    void excused(Rule rule) {
        excused.merge(rule, 1L, Long::sum);
    }

    void add(LeaseCounts counts) {
        merge(surrendered, counts.surrendered());
        merge(renewals, counts.renewals());
        merge(commits, counts.commits());
    }

    void add(SimulationFigures other) {
        histories += other.histories;
        events += other.events;
        operations += other.operations;
        terms += other.terms;
        takeovers += other.takeovers;
        releases += other.releases;
        tornForGood += other.tornForGood;
        hotStandbys += other.hotStandbys;
        longestGapPercent = Math.max(longestGapPercent, other.longestGapPercent);
        longestTakeoverPercent = Math.max(longestTakeoverPercent, other.longestTakeoverPercent);
        longestPolledTakeoverPercent = Math.max(longestPolledTakeoverPercent, other.longestPolledTakeoverPercent);
        merge(kinds, other.kinds);
        merge(sizes, other.sizes);
        merge(happenings, other.happenings);
        merge(excused, other.excused);
        merge(surrendered, other.surrendered);
        merge(renewals, other.renewals);
        merge(commits, other.commits);
    }

    private static <K> void merge(Map<K, Long> into, Map<K, Long> from) {
        from.forEach((key, count) -> into.merge(key, count, Long::sum));
    }

    long of(Happening happening) {
        return happenings.getOrDefault(happening, 0L);
    }

    long of(SimulationKind kind) {
        return kinds.getOrDefault(kind, 0L);
    }

    long ofSize(int processes) {
        return sizes.getOrDefault(processes, 0L);
    }

    long excusedOf(Rule rule) {
        return excused.getOrDefault(rule, 0L);
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
        return line("histories", histories + " (" + text(kinds) + "), by number of processes " + text(sizes))
                + line("events", events + ", " + operations + " file operations")
                + line("happenings", text(happenings))
                + line("terms", terms + ", " + takeovers + " after another process's, " + releases + " released")
                + line("surrenders", text(surrendered))
                + line("renewals", text(renewals))
                + line("commits", text(commits))
                + line("excused", text(excused) + "; for good, files torn where links are not possible: " + tornForGood)
                + line(
                        "without leader",
                        String.format(
                                Locale.ROOT,
                                "at most %.1f %% of ttl and renew interval after all trouble; %d leaders died: at most"
                                        + " %.1f %% of the ttl after the last renew where changes are told, %.1f %% of ttl"
                                        + " and renew interval where not",
                                longestGapPercent,
                                hotStandbys,
                                longestTakeoverPercent,
                                longestPolledTakeoverPercent));
    }

    private static String line(String name, String what) {
        return String.format(Locale.ROOT, "%n  %-16s%s", name, what);
    }

    private static String text(Map<?, Long> counts) {
        return counts.entrySet().stream()
                .map(count ->
                        count.getKey().toString().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + count.getValue())
                .collect(Collectors.joining(", "));
    }
}
