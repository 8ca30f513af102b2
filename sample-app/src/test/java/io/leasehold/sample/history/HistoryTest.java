package io.leasehold.sample.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    @TempDir
    private Path directory;

    @Test
    void linesAreThereAsSoonAsTheyAreNoted() throws IOException {
        Path file = directory.resolve("A-1.history");
        try (History history = History.at(file)) {
            history.note(HistoryEvent.ACQUIRED, 4);
            history.note(HistoryEvent.WORKED, 4, 17);
            history.note(HistoryEvent.REFUSED, 4, 17, "fence");

            assertThat(events(file)).containsExactly(HistoryEvent.ACQUIRED, HistoryEvent.WORKED, HistoryEvent.REFUSED);
            assertThat(Files.readString(file)).endsWith("refused 4 17 fence\n");
        }
    }

    @Test
    void anInterruptedThreadCanStillNote() throws IOException {
        Path file = directory.resolve("A-1.history");
        try (History history = History.at(file)) {
            Thread.currentThread().interrupt();
            history.note(HistoryEvent.WORKED, 4, 17);
            history.note(HistoryEvent.ACKNOWLEDGED, 4, 17);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(events(file)).containsExactly(HistoryEvent.WORKED, HistoryEvent.ACKNOWLEDGED);
    }

    private static List<HistoryEvent> events(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .map(HistoryLine::parse)
                .map(HistoryLine::event)
                .toList();
    }
}
