package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * One scenario: its processes, and the verdict on what they did. What they wrote down and printed stays until the next run.
 * Used by one thread.
 */
final class Scenario implements AutoCloseable {
    private static final int MOST_ATTEMPTS = 50;

    private final String name;
    private final Path histories;
    private final Timing timing;
    private final Replicas replicas;
    private int rounds;

    /** Begins a scenario with nothing running. */
    Scenario(String name, Timing timing) throws IOException {
        this(name, timing, TortureReport.DIRECTORY.resolve(name));
    }

    /** A scenario whose processes write into a directory that they all can reach. */
    Scenario(String name, Timing timing, Path histories) throws IOException {
        this.name = name;
        this.timing = timing;
        this.histories = histories;
        deleteAll(histories);
        Files.createDirectories(histories);
        this.replicas = new Replicas(new ProgramCode(histories.resolve("code")), histories, timing);
    }

    Replicas replicas() {
        return replicas;
    }

    Timing timing() {
        return timing;
    }

    /** Where files of the scenario's own can be kept. */
    Path file(String fileName) {
        return histories.resolve(fileName);
    }

    /** Lets the leaders step down until it is this one's turn. */
    void makeLead(Replica replica) throws IOException, InterruptedException {
        Replica leader = replicas.awaitLeader();
        for (int i = 0; leader != replica; i++) {
            assertThat(i).as("attempts to make %s lead", replica.name()).isLessThan(MOST_ATTEMPTS);
            leader.tell(ReplicaProgram.STEP_DOWN);
            TimeUnit.NANOSECONDS.sleep(timing.ttls(0.5).toNanos());
            leader = replicas.awaitLeader();
        }
    }

    void beginRound() {
        rounds++;
    }

    /**
     * Waits until the trouble is over: somebody leads, and commits. Then ends the processes, reports the figures, and fails
     * where a rule was broken that is not excused.
     */
    Figures judge(Rule... excused) throws IOException, InterruptedException {
        replicas.awaitCommit();
        List<ProcessHistory> all = replicas.finish();
        List<Violation> violations = HistoryChecker.check(all);
        List<Violation> unexcused = violations.stream()
                .filter(violation -> !List.of(excused).contains(violation.rule()))
                .toList();
        Figures figures = Figures.of(all);
        TortureReport.add(name, rounds, figures, violations.size() - unexcused.size());
        assertThat(unexcused)
                .as("violations, by the histories in %s", histories)
                .isEmpty();
        return figures;
    }

    @Override
    public void close() throws IOException {
        replicas.close();
        deleteAll(histories.resolve("code"));
    }

    private static void deleteAll(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
