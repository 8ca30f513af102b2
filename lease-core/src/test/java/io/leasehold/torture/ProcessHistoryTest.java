package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessHistoryTest {
    private static final HistoryLine LINE = new HistoryLine(-5, 7, HistoryEvent.REFUSED, 4, 17, "FENCED");

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = directory.resolve("a.history");
        try (History history = new History(file)) {
            history.note(LINE);
        }
    }

    @Test
    void whatWasWrittenIsRead() throws IOException {
        assertThat(ProcessHistory.read("a", file).lines()).containsExactly(LINE);
    }

    @Test
    void aLineThatWasTornByAKillIsLeftOut() throws IOException {
        Files.writeString(file, "12 13 held 4", StandardOpenOption.APPEND);
        assertThat(ProcessHistory.read("a", file).lines()).containsExactly(LINE);
    }

    @Test
    void aTornLineThatIsNotTheLastIsRefused() throws IOException {
        Files.writeString(file, "12 13 held 4\n", StandardOpenOption.APPEND);
        assertThatThrownBy(() -> ProcessHistory.read("a", file)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void linesAreReadWhileTheyAreWritten() throws IOException {
        HistoryTail tail = new HistoryTail(file);
        assertThat(tail.lines()).containsExactly(LINE);
        Files.writeString(file, "12 13 held 4", StandardOpenOption.APPEND);
        assertThat(tail.lines()).containsExactly(LINE);
        Files.writeString(file, " 0 -\n", StandardOpenOption.APPEND);
        assertThat(tail.lines()).hasSize(2);
    }

    @Test
    void aStateIsOneWord() {
        Progress progress = new Progress(3, 17);
        assertThat(Progress.ofWord(Progress.word(progress.entries())))
                .containsOnlyKeys("count", "slot1")
                .containsValue(progress);
        assertThat(Progress.ofWord(HistoryLine.NO_DETAIL)).isEmpty();
    }
}
