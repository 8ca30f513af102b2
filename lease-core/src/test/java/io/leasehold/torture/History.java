package io.leasehold.torture;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The history of one process: a file that it only appends to. Each line is one write, so that a process that is killed
 * leaves at most its last line torn; the stream is not a channel, which an interrupt would close. Safe for use by several
 * threads.
 */
final class History implements AutoCloseable {
    private final OutputStream out;

    History(Path file) throws IOException {
        this.out = new FileOutputStream(file.toFile(), true);
    }

    /** Notes what happens at this moment. */
    void note(HistoryEvent event, long epoch, long number, String detail) {
        long nowNs = System.nanoTime();
        note(new HistoryLine(nowNs, nowNs, event, epoch, number, detail));
    }

    synchronized void note(HistoryLine line) {
        try {
            out.write((line.format() + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("The history cannot be written", e);
        }
    }

    @Override
    public synchronized void close() throws IOException {
        out.close();
    }
}
