package io.leasehold.sample.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that the demo has started. Safe for use by several threads. */
final class Child {
    private final String name;
    private final Process process;
    private final Path log;
    private volatile boolean meantToEnd;

    private Child(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
    }

    /** Starts a process whose output goes to a file. */
    static Child start(String name, List<String> command, Path log) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            return new Child(name, process, log);
        } catch (IOException e) {
            throw new DemoFailedException("The process " + name + " cannot be started", e);
        }
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    Path log() {
        return log;
    }

    /** Whether it has ended although nobody told it to. */
    boolean endedUnexpectedly() {
        return !meantToEnd && !process.isAlive();
    }

    /** Writes a line to its standard input. */
    void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new DemoFailedException("The process " + name + " takes no more commands; its log is " + log, e);
        }
    }

    /** Kills it with SIGKILL, frozen or not, and waits until it has ended. */
    void kill() {
        meantToEnd = true;
        process.destroyForcibly().onExit().join();
    }

    /** Closes its standard input, which ends it, and kills it where it has not ended in time. */
    void close(Duration patience) throws InterruptedException {
        meantToEnd = true;
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException("The standard input of the process " + name + " cannot be closed", e);
        }
        if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
            process.destroyForcibly().waitFor();
            throw new DemoFailedException("The process " + name + " did not end; its log is " + log);
        }
    }
}
