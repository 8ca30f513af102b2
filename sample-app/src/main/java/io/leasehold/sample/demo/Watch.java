package io.leasehold.sample.demo;

import io.leasehold.sample.demo.RunHistory.Entry;
import io.leasehold.sample.history.HistoryEvent;
import io.leasehold.sample.history.HistoryLine;
import io.leasehold.state.StateStoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the histories while the run goes on, prints each transition and now and then how far everybody is, and waits for
 * what must happen. Used by one thread.
 */
final class Watch {
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration SHORT_POLL = Duration.ofMillis(1);
    private static final Duration PROGRESS = Duration.ofSeconds(2);

    private final HistoryTail histories;
    private final StoredCheckpoint checkpoint;
    private final Runnable requireHealth;
    private final Terminal terminal;
    private final Duration patience;
    private int shown;
    private long progressAtNs = System.nanoTime();

    /**
     * A watch over a run.
     *
     * @param histories the histories
     * @param checkpoint reads the checkpoint in the state of the replicas
     * @param requireHealth throws when the run cannot go on
     * @param terminal where to print
     * @param patience how long to wait for what must happen
     */
    Watch(
            HistoryTail histories,
            StoredCheckpoint checkpoint,
            Runnable requireHealth,
            Terminal terminal,
            Duration patience) {
        this.histories = histories;
        this.checkpoint = checkpoint;
        this.requireHealth = requireHealth;
        this.terminal = terminal;
        this.patience = patience;
    }

    /** Waits until something is true of the run. */
    RunHistory until(String what, Predicate<RunHistory> condition) throws IOException, InterruptedException {
        return until(what, condition, POLL);
    }

    /** Waits until something is true of the run that may be true for a few milliseconds only. */
    RunHistory untilThisMoment(String what, Predicate<RunHistory> condition) throws IOException, InterruptedException {
        return until(what, condition, SHORT_POLL);
    }

    private RunHistory until(String what, Predicate<RunHistory> condition, Duration poll)
            throws IOException, InterruptedException {
        long beginNs = System.nanoTime();
        for (; ; ) {
            requireHealth.run();
            RunHistory run = look();
            if (condition.test(run)) {
                return run;
            }
            if (System.nanoTime() - beginNs > patience.toNanos()) {
                throw new DemoFailedException("Waited " + patience.toSeconds() + " s in vain until " + what);
            }
            Thread.sleep(poll.toMillis());
        }
    }

    /** Lets the run go on for a while. */
    void calm(Duration duration) throws IOException, InterruptedException {
        long endNs = System.nanoTime() + duration.toNanos();
        until("some time had passed", run -> System.nanoTime() - endNs >= 0);
    }

    /** Reads what is new, and prints it. */
    RunHistory look() throws IOException {
        RunHistory run = histories.read();
        List<Entry> unseen = run.entries().subList(shown, run.entries().size());
        shown = run.entries().size();
        unseen.forEach(this::showTransition);
        if (System.nanoTime() - progressAtNs >= PROGRESS.toNanos()) {
            progressAtNs = System.nanoTime();
            showProgress(run);
        }
        return run;
    }

    /** The checkpoint in the state; empty where it cannot be read at the moment. */
    OptionalLong checkpoint() {
        try {
            return OptionalLong.of(checkpoint.read());
        } catch (StateStoreException e) {
            terminal.line("the checkpoint cannot be read: " + e.getMessage());
            return OptionalLong.empty();
        }
    }

    private void showTransition(Entry entry) {
        String text = transition(entry);
        if (text != null) {
            terminal.line(entry.line().at(), text);
        }
    }

    /** What to print about an entry; null for single events, which the progress line counts. */
    private static @Nullable String transition(Entry entry) {
        HistoryLine line = entry.line();
        String who = entry.replica() + ", epoch " + line.epoch() + ": ";
        return switch (entry.event()) {
            case STARTED -> entry.replica() + " is up";
            case ACQUIRED -> who + "leads";
            case RESUMED -> who + "goes on after event " + line.number();
            case REFUSED -> who + "event " + line.number() + " worked on, then refused (" + line.detail() + ")";
            case UNKNOWN -> who + "event " + line.number() + " worked on, outcome of the commit unknown";
            case SURRENDERED -> who + "surrenders (" + line.detail() + ")";
            default -> null;
        };
    }

    private void showProgress(RunHistory run) {
        List<Entry> published = run.of(HistoryEvent.PUBLISHED);
        if (published.isEmpty()) {
            return;
        }
        StringBuilder line = new StringBuilder("published ").append(published.size());
        for (String replica : Processes.REPLICAS) {
            line.append(" | ")
                    .append(replica)
                    .append(": received ")
                    .append(run.count(HistoryEvent.RECEIVED, replica))
                    .append(", acknowledged ")
                    .append(run.count(HistoryEvent.ACKNOWLEDGED, replica));
        }
        line.append(" | checkpoint ");
        OptionalLong stored = run.terms().isEmpty() ? OptionalLong.empty() : checkpoint();
        line.append(stored.isPresent() ? Long.toString(stored.getAsLong()) : "unknown");
        terminal.line(line.toString());
    }
}
