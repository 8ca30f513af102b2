package io.leasehold.torture;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads a history while it is being written. Used by one thread. */
final class HistoryTail {
    private final Path file;
    private final List<HistoryLine> lines = new ArrayList<>();
    private long offset;

    HistoryTail(Path file) {
        this.file = file;
    }

    /** All whole lines until now. */
    List<HistoryLine> lines() throws IOException {
        if (Files.exists(file)) {
            try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
                byte[] more = new byte[Math.toIntExact(in.length() - offset)];
                in.seek(offset);
                in.readFully(more);
                String text = new String(more, StandardCharsets.UTF_8);
                String whole = text.substring(0, text.lastIndexOf('\n') + 1);
                whole.lines().map(HistoryLine::parse).forEach(lines::add);
                offset += whole.length();
            }
        }
        return lines;
    }
}
