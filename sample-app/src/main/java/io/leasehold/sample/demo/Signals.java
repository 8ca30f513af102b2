package io.leasehold.sample.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * Sends signals that Java cannot, within a millisecond: by a shell that is started beforehand and ends with this process.
 * Used by one thread.
 */
final class Signals {
    private static final String SCRIPT =
            "while read -r signal pid; do if kill -\"$signal\" \"$pid\"; then echo sent; else echo failed; fi; done";

    private final Process shell;
    private final BufferedReader answers;

    private Signals(Process shell) {
        this.shell = shell;
        this.answers = shell.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the shell. */
    static Signals open() throws IOException {
        return new Signals(new ProcessBuilder("sh", "-c", SCRIPT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Sends a signal, and returns when it was sent. */
    void send(String signal, long pid) {
        try {
            shell.getOutputStream().write((signal + " " + pid + "\n").getBytes(StandardCharsets.UTF_8));
            shell.getOutputStream().flush();
            if (!"sent".equals(answers.readLine())) {
                throw new DemoFailedException("SIG" + signal + " could not be sent to the process " + pid);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("SIG" + signal + " could not be sent to the process " + pid, e);
        }
    }
}
