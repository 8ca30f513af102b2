package io.leasehold.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The history of one start of one process.
 *
 * @param process its name
 * @param lines what it wrote, in its order
 */
record ProcessHistory(String process, List<HistoryLine> lines) {

    /** Reads a history; a last line without its end was torn by a kill, and is left out. */
    static ProcessHistory read(String process, Path file) throws IOException {
        String text = Files.readString(file);
        String whole = text.substring(0, text.lastIndexOf('\n') + 1);
        return new ProcessHistory(process, whole.lines().map(HistoryLine::parse).toList());
    }

    boolean has(HistoryEvent event) {
        return lines.stream().anyMatch(line -> line.event() == event);
    }

    /** The terms that it led, by their epochs. */
    List<Term> terms() {
        Map<Long, List<HistoryLine>> byEpoch = lines.stream()
                .filter(line -> line.epoch() > 0)
                .collect(Collectors.groupingBy(HistoryLine::epoch, TreeMap::new, Collectors.toList()));
        return byEpoch.entrySet().stream()
                .filter(term -> term.getValue().stream().anyMatch(line -> line.event() == HistoryEvent.ACQUIRED))
                .map(term -> new Term(process, term.getKey(), term.getValue()))
                .toList();
    }
}
