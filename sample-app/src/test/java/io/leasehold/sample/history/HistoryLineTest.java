package io.leasehold.sample.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryLineTest {
    private static final Instant NOW = Instant.parse("2026-12-01T02:00:30.123456Z");

    @Test
    void aLineIsFiveWords() {
        assertThat(new HistoryLine(NOW, HistoryEvent.REFUSED, 4, 17, "fence").format())
                .isEqualTo("2026-12-01T02:00:30.123456Z refused 4 17 fence");
    }

    @Test
    void whatWasWrittenIsRead() {
        for (HistoryEvent event : HistoryEvent.values()) {
            HistoryLine line = new HistoryLine(NOW, event, 4, 17, HistoryLine.NO_DETAIL);
            assertThat(HistoryLine.parse(line.format())).isEqualTo(line);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-12-01T02:00:30Z acknowledged 4 17",
                "2026-12-01T02:00:30Z acknowledged 4 17 - -",
                "2026-12-01T02:00:30Z acknowledged 4 x -",
                "2026-12-01T02:00:30Z acknowledgement 4 17 -",
                "yesterday acknowledged 4 17 -",
                "2026-12-01T02:00:30Z acknowledged 4 17 "
            })
    void anythingElseIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HistoryLine.parse(text))
                .withMessageContaining("line of history");
    }

    @Test
    void aDetailIsOneWord() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HistoryLine(NOW, HistoryEvent.REFUSED, 4, 17, "the fence"));
    }
}
