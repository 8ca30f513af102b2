package io.leasehold;

import io.leasehold.SimulationChecks.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Histories with one seed after the other, until there were enough or one of them broke a rule. */
final class SimulationRuns {
    private static final long PROGRESS_S = 60;

    private final String what;
    private final @Nullable Supplier<ServerRecords> records;
    private final long firstSeed;
    private final long runs;
    private final long endsAtNs;
    private final long begunNs = System.nanoTime();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final SimulationFigures figures = new SimulationFigures();

    /**
     * So many histories, or as many as there is time for.
     *
     * @param what how the name of their test ends
     * @param records what the server of each history keeps; null for histories with files
     */
    SimulationRuns(String what, @Nullable Supplier<ServerRecords> records, long firstSeed, long runs, long minutes) {
        this.what = what;
        this.records = records;
        this.firstSeed = firstSeed;
        this.runs = runs;
        this.endsAtNs = begunNs + TimeUnit.MINUTES.toNanos(minutes);
    }

    /** Runs them on so many threads; returns what to tell of the first one that broke a rule, or null. */
    @Nullable
    String run(int threads) throws InterruptedException, ExecutionException {
        ExecutorService workers = Executors.newFixedThreadPool(threads);
        try {
            List<Future<SimulationFigures>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                parts.add(workers.submit(this::runPart));
            }
            for (Future<SimulationFigures> part : parts) {
                figures.add(await(part));
            }
        } finally {
            workers.shutdownNow();
        }
        System.out.println("Simulation, seeds from " + firstSeed + ", " + progress() + ": " + figures);
        return failure.get();
    }

    SimulationFigures figures() {
        return figures;
    }

    private SimulationFigures await(Future<SimulationFigures> part) throws InterruptedException, ExecutionException {
        for (; ; ) {
            try {
                return part.get(PROGRESS_S, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                System.out.println("Simulation, seeds from " + firstSeed + ", " + progress());
            }
        }
    }

    private String progress() {
        long histories = Math.min(begun.get(), runs);
        long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNs));
        return histories + " histories in " + seconds + " s, " + histories / seconds + " a second";
    }

    private SimulationFigures runPart() {
        SimulationFigures part = new SimulationFigures();
        try (SimulatedTasks tasks = new SimulatedTasks()) {
            for (long next = begun.getAndIncrement();
                    next < runs && endsAtNs - System.nanoTime() > 0 && failure.get() == null;
                    next = begun.getAndIncrement()) {
                run(firstSeed + next, tasks, part);
            }
        }
        return part;
    }

    private void run(long seed, SimulatedTasks tasks, SimulationFigures part) {
        Simulation simulation = new Simulation(seed, records, tasks, part);
        Violation violation = simulation.run();
        if (violation != null) {
            failure.compareAndSet(
                    null,
                    "seed " + seed + ": " + violation
                            + "\nReplay it: mvn test -pl lease-core -Dtest=SimulationTest#"
                            + "*" + what + " -Dleasehold.simulation.seed=" + seed + "\n"
                            + simulation.describe());
        }
    }
}
