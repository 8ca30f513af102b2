package io.leasehold.sample.demo;

import io.leasehold.sample.history.History;
import io.leasehold.sample.history.HistoryEvent;
import io.leasehold.sample.process.ConsoleLine;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The course of the demo: what is started, disturbed and ended, and what has to follow from it. */
final class Acts {
    private static final int MOST_FREEZES = 50;

    private final Processes processes;
    private final Watch watch;
    private final History own;
    private final Terminal terminal;
    private final DemoOptions options;

    Acts(Processes processes, Watch watch, History own, Terminal terminal, DemoOptions options) {
        this.processes = processes;
        this.watch = watch;
        this.own = own;
        this.terminal = terminal;
        this.options = options;
    }

    /** Plays all acts; returns when every process has ended. */
    void play() throws IOException, InterruptedException {
        start();
        kill();
        freeze();
        stepDown();
        end();
    }

    private void start() throws IOException, InterruptedException {
        terminal.heading("Act 1: a broker, a publisher and the replicas A and B start");
        processes.start(Processes.BROKER);
        watch.until("the broker was up", run -> run.started(Processes.BROKER));
        processes.start(Processes.PUBLISHER);
        List<String> replicas =
                Processes.REPLICAS.stream().map(processes::start).toList();
        for (String name : Processes.REPLICAS) {
            terminal.line(name + " for Prometheus: " + processes.prometheusUrl(name));
        }
        watch.until(
                "both replicas were up and one worked",
                run -> replicas.stream().allMatch(run::started) && leader(run).isPresent());
        watch.calm(options.calm());
    }

    private void kill() throws IOException, InterruptedException {
        terminal.heading("Act 2: the leader is killed (SIGKILL), and started again");
        Term killed = disturb(HistoryEvent.KILLED, "is killed", processes::kill);
        awaitSuccessor(killed);
        String again = processes.start(killed.replica());
        watch.until(killed.replica() + " was up again", run -> run.started(again));
        watch.calm(options.calm());
    }

    private void freeze() throws IOException, InterruptedException {
        terminal.heading(
                "Act 3: the leader is frozen (SIGSTOP) amid a commit until past its ttl, and thawed (SIGCONT)");
        Term frozen = freezeAmidACommit();
        terminal.line(frozen.replica() + ", epoch " + frozen.epoch() + ": is frozen");
        awaitSuccessor(frozen);
        own.note(HistoryEvent.THAWED, 0, 0, frozen.replica());
        terminal.line(frozen.replica() + " is thawed");
        processes.thaw(frozen.replica());
        watch.until(
                "the thawed replica knew that its term was over",
                run -> run.terms().stream()
                        .anyMatch(term -> term.epoch() == frozen.epoch() && term.surrenderedAt() != null));
        watch.calm(options.calm());
    }

    /**
     * A commit takes a few milliseconds. Where the signal came too late for one, which shows in the history or in the state,
     * the leader goes on until the next.
     */
    private Term freezeAmidACommit() throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            RunHistory run = watch.untilThisMoment(
                    "the leader had a commit on its way",
                    seen -> leader(seen)
                            .filter(term -> seen.commitOnItsWay(term.process()).isPresent())
                            .isPresent());
            Term leader = leader(run).orElseThrow();
            own.note(HistoryEvent.FROZEN, 0, 0, leader.replica());
            processes.freeze(leader.replica());
            long onItsWay = watch.look().commitOnItsWay(leader.process()).orElse(0);
            if (attempt == MOST_FREEZES || onItsWay > watch.checkpoint().orElse(Long.MAX_VALUE)) {
                return leader;
            }
            processes.thaw(leader.replica());
        }
    }

    private void stepDown() throws IOException, InterruptedException {
        terminal.heading("Act 4: the leader steps down");
        Term old = disturb(
                HistoryEvent.STEPPED_DOWN,
                "is told to step down",
                leader -> processes.send(leader, ConsoleLine.STEP_DOWN));
        awaitSuccessor(old);
        watch.calm(options.calm());
    }

    private void end() throws IOException, InterruptedException {
        terminal.heading("End: nothing more is published, and the leader catches up");
        processes.send(Processes.PUBLISHER, ConsoleLine.STOP_PUBLISHING);
        RunHistory run = watch.until("everything that was published was in the checkpoint", this::caughtUp);
        String last = leader(run).map(Term::replica).orElse(Processes.REPLICAS.get(0));
        for (String name : Processes.REPLICAS) {
            if (!name.equals(last)) {
                processes.close(name, options.patience());
            }
        }
        processes.close(last, options.patience());
        processes.close(Processes.PUBLISHER, options.patience());
        processes.close(Processes.BROKER, options.patience());
        watch.look();
    }

    private boolean caughtUp(RunHistory run) {
        return !run.of(HistoryEvent.STOPPED).isEmpty()
                && watch.checkpoint().orElse(0)
                        >= run.of(HistoryEvent.PUBLISHED).size();
    }

    /** Does something to the leader, and notes it just before: the time of a hand-over begins here. */
    private Term disturb(HistoryEvent event, String what, Consumer<String> disturbance)
            throws IOException, InterruptedException {
        Term leader = leader(
                        watch.until("one led and worked", run -> leader(run).isPresent()))
                .orElseThrow();
        own.note(event, 0, 0, leader.replica());
        disturbance.accept(leader.replica());
        terminal.line(leader.replica() + ", epoch " + leader.epoch() + ": " + what);
        return leader;
    }

    private void awaitSuccessor(Term old) throws IOException, InterruptedException {
        watch.until(
                "another led and worked",
                run -> leader(run).filter(term -> term.epoch() > old.epoch()).isPresent());
    }

    /** The term with the highest epoch, if it is working: it has acknowledged an event and not surrendered. */
    private static Optional<Term> leader(RunHistory run) {
        List<Term> terms = run.terms();
        return terms.isEmpty()
                ? Optional.empty()
                : Optional.of(terms.get(terms.size() - 1)).filter(Term::working);
    }
}
