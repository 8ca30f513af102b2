package io.leasehold.sample.demo;

import io.leasehold.sample.history.History;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.UnsuitableStoreException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.Optional;

/** Runs the sample as real processes, disturbs them, and judges by what they noted. */
public final class Demo {
    private enum Stage {
        /** The acts are on. */
        PLAYING,
        /** This process is told to end while they are. */
        INTERRUPTED,
        /** The verdict is good. */
        GOOD,
        /** The verdict is not, or there is none. */
        NOT_GOOD
    }

    private static final int GOOD = 0;
    private static final int NOT_GOOD = 1;
    private static final int NOT_CARRIED_OUT = 2;

    private final DemoOptions options;
    private final Class<?> application;
    private final Terminal terminal;
    private volatile Stage stage = Stage.PLAYING;

    private Demo(DemoOptions options, Class<?> application, Terminal terminal) {
        this.options = options;
        this.application = application;
        this.terminal = terminal;
    }

    /**
     * Runs the demo. Its processes do not outlive it.
     *
     * @param args the options
     * @param application the main class, whose jar or class path the processes run with
     * @param out where to print
     * @return the exit status: 0 when nothing was lost and nothing acknowledged twice, 1 when something was, 2 when the
     *     demo could not be carried out
     */
    public static int run(String[] args, Class<?> application, PrintStream out) {
        Terminal terminal = new Terminal(out);
        if (System.getProperty("os.name").startsWith("Windows")) {
            terminal.plain("The demo freezes processes with SIGSTOP, which Windows does not have. Use Linux or macOS.");
            return NOT_CARRIED_OUT;
        }
        DemoOptions options;
        try {
            options = DemoOptions.parse(args);
        } catch (IllegalArgumentException e) {
            terminal.plain(e.getMessage() + System.lineSeparator() + DemoOptions.USAGE);
            return NOT_CARRIED_OUT;
        }
        return new Demo(options, application, terminal).run();
    }

    private int run() {
        try {
            DemoDirectory directory = DemoDirectory.create();
            Processes processes = new Processes(directory, options, application);
            Thread atTheEnd = new Thread(() -> cleanUp(processes, directory), "demo-clean-up");
            Runtime.getRuntime().addShutdownHook(atTheEnd);
            return playToTheEnd(directory, processes);
        } catch (IOException e) {
            throw new UncheckedIOException("The demo cannot keep its files", e);
        }
    }

    private int playToTheEnd(DemoDirectory directory, Processes processes) {
        boolean good = false;
        try {
            good = play(directory, processes).good();
            return good ? GOOD : NOT_GOOD;
        } catch (DemoFailedException
                | StateStoreException
                | UnsuitableStoreException
                | UncheckedIOException
                | IOException e) {
            if (stage != Stage.INTERRUPTED) {
                terminal.heading("The demo could not be carried out: " + e.getMessage());
                Optional.ofNullable(e.getCause()).ifPresent(cause -> terminal.plain("Cause: " + cause));
            }
            return NOT_CARRIED_OUT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NOT_CARRIED_OUT;
        } finally {
            if (stage == Stage.PLAYING) {
                stage = good ? Stage.GOOD : Stage.NOT_GOOD;
            }
        }
    }

    private Verdict play(DemoDirectory directory, Processes processes) throws IOException, InterruptedException {
        HistoryTail histories = new HistoryTail(directory.histories());
        StoredCheckpoint checkpoint = new StoredCheckpoint(directory.state());
        Watch watch = new Watch(histories, checkpoint, processes::requireAlive, terminal, options.patience());
        try (History own = History.at(HistoryTail.file(directory.histories(), "demo"))) {
            new Acts(processes, watch, own, terminal, options).play();
        }
        Verdict verdict = Checker.check(histories.read(), checkpoint.read());
        terminal.heading("Result");
        Report.lines(verdict).forEach(terminal::plain);
        return verdict;
    }

    /** Runs when the demo ends, and when it is interrupted, whose run nobody needs any more. */
    private void cleanUp(Processes processes, DemoDirectory directory) {
        if (stage == Stage.PLAYING) {
            stage = Stage.INTERRUPTED;
        }
        processes.killAll();
        if (stage == Stage.NOT_GOOD) {
            terminal.plain("The histories and logs of the run are in " + directory.path());
            return;
        }
        try {
            directory.delete();
        } catch (IOException e) {
            terminal.plain("The temporary directory " + directory.path() + " could not be deleted: " + e.getMessage());
        }
    }
}
