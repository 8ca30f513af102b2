package io.leasehold.sample.demo;

import io.leasehold.sample.demo.RunHistory.Entry;
import io.leasehold.sample.history.HistoryLine;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads the histories of a run while they grow. Only lines that have their newline count: what is behind the last newline
 * of a file is not written yet, or is all that a killed process could write of its last line. Not safe for use by several
 * threads.
 */
final class HistoryTail {
    static final String SUFFIX = ".history";

    private final Path directory;
    private final Map<Path, Long> positions = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();

    HistoryTail(Path directory) {
        this.directory = directory;
    }

    /** Where a process writes its history. */
    static Path file(Path directory, String process) {
        return directory.resolve(process + SUFFIX);
    }

    /**
     * Reads what is new.
     *
     * @return everything so far
     * @throws IOException when a file cannot be read
     * @throws IllegalArgumentException when a line that has its newline is not a line of history
     */
    RunHistory read() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(path -> path.toString().endsWith(SUFFIX))
                    .sorted()
                    .toList()) {
                readOn(file);
            }
        }
        return new RunHistory(entries);
    }

    private void readOn(Path file) throws IOException {
        String name = file.getFileName().toString();
        String process = name.substring(0, name.length() - SUFFIX.length());
        for (String line : completeLines(file)) {
            entries.add(new Entry(process, HistoryLine.parse(line)));
        }
    }

    private List<String> completeLines(Path file) throws IOException {
        long position = positions.getOrDefault(file, 0L);
        try (RandomAccessFile history = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[(int) (history.length() - position)];
            history.seek(position);
            history.readFully(bytes);
            String text = new String(bytes, StandardCharsets.US_ASCII);
            String complete = text.substring(0, text.lastIndexOf('\n') + 1);
            positions.put(file, position + complete.length());
            return complete.lines().toList();
        }
    }
}
