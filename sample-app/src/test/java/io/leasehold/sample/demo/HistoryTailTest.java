package io.leasehold.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTailTest {
    private static final String FIRST = "2026-12-01T02:00:30.1Z worked 4 16 -\n";
    private static final String SECOND = "2026-12-01T02:00:30.2Z acknowledged 4 16 -\n";

    @TempDir
    private Path directory;

    private HistoryTail tail = new HistoryTail(Path.of(""));

    @BeforeEach
    void begin() {
        tail = new HistoryTail(directory);
    }

    @Test
    void everyFileIsReadOnFromWhereItWasReadTo() throws IOException {
        append("A-1", FIRST);
        assertThat(tail.read().entries()).hasSize(1);
        append("A-1", SECOND);
        append("B-1", FIRST);

        RunHistory run = tail.read();

        assertThat(run.entries()).extracting(RunHistory.Entry::process).containsExactly("A-1", "A-1", "B-1");
        assertThat(run.entries()).extracting(RunHistory.Entry::replica).containsExactly("A", "A", "B");
    }

    @Test
    void aTornLastLineDoesNotCountEvenWhereItLooksWhole() throws IOException {
        append("A-1", FIRST + "2026-12-01T02:00:30.2Z acknowledged 4 1");
        append("B-1", FIRST + "2026-12-01T02:00:30.2Z acknowledged 4 17 -");
        append("B-2", "");

        assertThat(tail.read().entries()).hasSize(2);
    }

    @Test
    void aLineThatIsCompletedLaterCountsThen() throws IOException {
        append("A-1", FIRST + SECOND.substring(0, 20));
        assertThat(tail.read().entries()).hasSize(1);
        append("A-1", SECOND.substring(20));

        assertThat(tail.read().entries()).hasSize(2);
    }

    @Test
    void aWholeLineThatIsNoLineOfHistoryIsAnError() throws IOException {
        append("A-1", "2026-12-01T02:00:30.1Z wor" + SECOND);

        assertThatIllegalArgumentException().isThrownBy(tail::read);
    }

    private void append(String process, String text) throws IOException {
        Files.writeString(
                HistoryTail.file(directory, process), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
