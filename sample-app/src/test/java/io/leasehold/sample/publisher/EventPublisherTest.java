package io.leasehold.sample.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.sample.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventPublisherTest {
    @TempDir
    private Path directory;

    private final List<Long> sent = new ArrayList<>();
    private boolean brokerDown;
    private History history = History.none();
    private EventPublisher publisher = new EventPublisher(this::send, history);

    @BeforeEach
    void open() {
        history = History.at(directory.resolve("publisher.history"));
        publisher = new EventPublisher(this::send, history);
    }

    @AfterEach
    void close() {
        history.close();
    }

    @Test
    void eventsAreNumberedFromOne() throws IOException {
        publisher.publishNext();
        publisher.publishNext();

        assertThat(sent).containsExactly(1L, 2L);
        assertThat(Files.readString(directory.resolve("publisher.history")))
                .contains("published 0 1 -")
                .contains("published 0 2 -");
    }

    @Test
    void whatCouldNotBeSentIsTriedAgainWithTheSameNumberAndNotedOnce() throws IOException {
        publisher.publishNext();
        brokerDown = true;
        assertThatIllegalStateException().isThrownBy(publisher::publishNext);
        brokerDown = false;
        publisher.publishNext();

        assertThat(sent).containsExactly(1L, 2L);
        assertThat(Files.readAllLines(directory.resolve("publisher.history"))).hasSize(2);
    }

    @Test
    void aReplaySendsEverythingFromTheNumberOnAndNotesNothing() throws IOException {
        publisher.publishNext();
        publisher.publishNext();
        publisher.publishNext();
        sent.clear();

        publisher.replay(2);

        assertThat(sent).containsExactly(2L, 3L);
        assertThat(Files.readAllLines(directory.resolve("publisher.history"))).hasSize(3);
    }

    @Test
    void aReplayOfWhatIsStillToComeSendsNothing() {
        publisher.publishNext();
        sent.clear();

        publisher.replay(2);

        assertThat(sent).isEmpty();
    }

    @Test
    void afterTheStopNothingNewIsPublishedButReplaysGoOn() throws IOException {
        publisher.publishNext();
        publisher.stop();
        publisher.publishNext();
        publisher.replay(1);

        assertThat(sent).containsExactly(1L, 1L);
        assertThat(Files.readString(directory.resolve("publisher.history"))).endsWith("stopped 0 0 -\n");
    }

    private void send(long number) {
        if (brokerDown) {
            throw new IllegalStateException("The broker is down");
        }
        sent.add(number);
    }
}
