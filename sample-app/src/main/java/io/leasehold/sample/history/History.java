package io.leasehold.sample.history;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;

/**
 * The history of one process: a file that it only appends to. Safe for use by several threads.
 *
 * <p>Each line is one write and ends with a newline, so that a process that is killed leaves at most its last line torn,
 * and a torn line is known by the missing newline. A process that starts again writes a new file, never behind a torn
 * line. The stream is not a channel: an interrupt of the writing thread must not close it.
 */
public final class History implements AutoCloseable {
    private final OutputStream out;
    private final Clock clock;

    private History(OutputStream out, Clock clock) {
        this.out = out;
        this.clock = clock;
    }

    /**
     * Begins a history.
     *
     * @param file the file, which is created, or appended to
     * @return the history
     * @throws UncheckedIOException when the file cannot be opened
     */
    public static History at(Path file) {
        try {
            return new History(new FileOutputStream(file.toFile(), true), Clock.systemUTC());
        } catch (IOException e) {
            throw new UncheckedIOException("The history " + file + " cannot be opened", e);
        }
    }

    /**
     * A history that nobody reads.
     *
     * @return it
     */
    public static History none() {
        return new History(OutputStream.nullOutputStream(), Clock.systemUTC());
    }

    /**
     * Notes an event without a number or a detail.
     *
     * @param event what happened
     * @param epoch the epoch of the term, or 0
     */
    public void note(HistoryEvent event, long epoch) {
        note(event, epoch, 0);
    }

    /**
     * Notes an event without a detail.
     *
     * @param event what happened
     * @param epoch the epoch of the term, or 0
     * @param number the number of the event that was published or worked on, or 0
     */
    public void note(HistoryEvent event, long epoch, long number) {
        note(event, epoch, number, HistoryLine.NO_DETAIL);
    }

    /**
     * Notes an event.
     *
     * @param event what happened
     * @param epoch the epoch of the term, or 0
     * @param number the number of the event that was published or worked on, or 0
     * @param detail one word
     * @throws UncheckedIOException when the line cannot be written
     */
    public synchronized void note(HistoryEvent event, long epoch, long number, String detail) {
        String line = new HistoryLine(clock.instant(), event, epoch, number, detail).format() + "\n";
        try {
            out.write(line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("The history cannot be written", e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The history cannot be closed", e);
        }
    }
}
