package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One start of {@link ReplicaProgram}. Used by one thread. */
final class Replica {
    private static final long END_S = 30;

    private final String name;
    private final Host host;
    private final Path history;
    private final Path output;
    private final HistoryTail tail;
    private final Process process;
    private final long startedNs = System.nanoTime();
    private boolean paused;
    private boolean killed;

    Replica(String name, Host host, ReplicaSettings settings, ProgramCode code) throws IOException {
        this.name = name;
        this.host = host;
        this.history = settings.history();
        this.output = history.resolveSibling(name + ".out");
        this.tail = new HistoryTail(history);
        List<String> command = new ArrayList<>(host.before());
        command.addAll(code.command(host.options()));
        command.addAll(settings.arguments());
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(host.environment());
        this.process = builder.start();
    }

    String name() {
        return name;
    }

    Host host() {
        return host;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isPaused() {
        return paused;
    }

    /** What it has written down until now. */
    List<HistoryLine> lines() throws IOException {
        return tail.lines();
    }

    /** Whether it has written something down. */
    boolean has(HistoryEvent event) throws IOException {
        return lines().stream().anyMatch(line -> line.event() == event);
    }

    /** Whether it has written something down that began after a time. */
    boolean has(HistoryEvent event, long sinceNs) throws IOException {
        return lines().stream().anyMatch(line -> line.event() == event && line.fromNs() - sinceNs > 0);
    }

    /** Everything that it wrote down; for a process that has ended. */
    ProcessHistory history() throws IOException {
        return Files.exists(history) ? ProcessHistory.read(name, history) : new ProcessHistory(name, List.of());
    }

    /** What it has printed. */
    String output() throws IOException {
        return Files.readString(output);
    }

    void pause() throws IOException, InterruptedException {
        signal("-STOP");
        paused = true;
    }

    void resume() throws IOException, InterruptedException {
        signal("-CONT");
        paused = false;
    }

    void tell(String command) throws IOException {
        OutputStream in = process.getOutputStream();
        in.write((command + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    /** Lets it close its lease and end by itself. */
    void finish() throws IOException, InterruptedException {
        process.getOutputStream().close();
        assertThat(process.waitFor(END_S, TimeUnit.SECONDS))
                .as("%s ends when it is told to; it printed: %s", name, output())
                .isTrue();
    }

    /** Waits for a process that ends because it was refused something, and returns what it printed. */
    String awaitRefusal() throws IOException, InterruptedException {
        assertThat(process.waitFor(END_S, TimeUnit.SECONDS))
                .as("%s is refused", name)
                .isTrue();
        assertThat(process.exitValue()).isNotZero();
        killed = true;
        return output();
    }

    /** Fails where it has ended by an exception, or has another monotonic clock than this process. */
    void assertEndedWell() throws IOException {
        for (HistoryLine line : lines()) {
            assertThat(line.fromNs() - startedNs)
                    .as("a time in the history of %s", name)
                    .isNotNegative();
            assertThat(System.nanoTime() - line.toNs())
                    .as("a time in the history of %s", name)
                    .isNotNegative();
        }
        if (!killed) {
            assertThat(process.exitValue()).as("%s printed: %s", name, output()).isZero();
        }
    }

    /** As SIGKILL does, which a paused process dies of too. */
    void kill() throws InterruptedException {
        killed = true;
        process.destroyForcibly().waitFor();
    }

    /** Ends it, whether it is stopped or not, and does not wait. */
    void destroy() {
        Process unused = process.destroyForcibly();
    }

    /** Ends it at last; one that hangs in a file system dies of this as soon as it is let go. */
    void endNow() throws InterruptedException {
        boolean unused = process.destroyForcibly().waitFor(2, TimeUnit.SECONDS);
    }

    private void signal(String signal) throws IOException, InterruptedException {
        Command.run("kill", signal, String.valueOf(process.pid()));
    }
}
