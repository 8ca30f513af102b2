package io.leasehold.torture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Runs small commands of the machine. */
final class Command {
    private Command() {}

    /** Runs a command that has to succeed. */
    static void run(String... command) throws IOException, InterruptedException {
        Process process = start(command);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        if (status != 0) {
            throw new IOException(String.join(" ", command) + " ended with status " + status + ": " + output);
        }
    }

    /** Whether a command is there and succeeds. */
    static boolean succeeds(String... command) throws InterruptedException {
        try {
            run(command);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static Process start(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        return process;
    }
}
