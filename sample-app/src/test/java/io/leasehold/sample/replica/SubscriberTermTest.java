package io.leasehold.sample.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.leasehold.NotHolderException;
import io.leasehold.sample.history.History;
import io.leasehold.sample.process.SharedNames;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubscriberTermTest {
    private static final Duration RETRY = Duration.ofMillis(500);

    @TempDir
    private Path directory;

    private final FakeState state = new FakeState(4);
    private final List<Long> worked = new ArrayList<>();
    private final List<Long> asked = new ArrayList<>();
    private History history = History.none();
    private long nowNs = Long.MAX_VALUE - 1;
    private boolean interruptWork;

    @BeforeEach
    void open() {
        history = History.at(directory.resolve("A-1.history"));
    }

    @AfterEach
    void close() {
        history.close();
    }

    @Test
    void theFirstEventOfATermShowsWhatIsMissingSinceTheCheckpoint() throws IOException {
        state.commit(SharedNames.CHECKPOINT, "16");
        SubscriberTerm term = term();
        assertThat(asked).isEmpty();

        term.receive(23);

        assertThat(worked).isEmpty();
        assertThat(asked).containsExactly(17L);
        assertThat(noted()).containsExactly("resumed 4 16 -", "received 4 23 -");
    }

    @Test
    void aCheckpointThatIsNoNumberIsNotTakenForNone() {
        state.commit(SharedNames.CHECKPOINT, "seventeen");

        assertThatIllegalStateException().isThrownBy(this::term).withMessageNotContaining("seventeen");
    }

    @Test
    void anEventIsWorkedOnThenCommittedThenNotedAsAcknowledged() throws IOException {
        term().receive(1);

        assertThat(worked).containsExactly(1L);
        assertThat(checkpoint()).isEqualTo("1");
        assertThat(noted()).containsExactly("resumed 4 0 -", "received 4 1 -", "worked 4 1 -", "acknowledged 4 1 -");
    }

    @Test
    void repeatedEventsAreSkipped() {
        state.commit(SharedNames.CHECKPOINT, "2");
        SubscriberTerm term = term();

        List.of(1L, 2L, 3L, 3L, 2L, 4L).forEach(term::receive);

        assertThat(worked).containsExactly(3L, 4L);
        assertThat(checkpoint()).isEqualTo("4");
    }

    @Test
    void aSkippedNumberIsAskedForOnceAndNothingBehindItIsWorkedOn() {
        SubscriberTerm term = term();
        term.receive(1);

        term.receive(3);
        term.receive(4);

        assertThat(worked).containsExactly(1L);
        assertThat(asked).containsExactly(2L);
    }

    @Test
    void aRequestThatGotLostIsRepeatedAtTheNextEventAfterAWhile() {
        SubscriberTerm term = term();
        term.receive(2);
        assertThat(asked).containsExactly(1L);

        nowNs += RETRY.toNanos();
        term.receive(3);

        assertThat(asked).containsExactly(1L, 1L);
    }

    @Test
    void silenceIsAskedAboutUntilTheEventArrives() {
        SubscriberTerm term = term();
        term.askWhenSilent();
        assertThat(asked).isEmpty();

        nowNs += RETRY.toNanos();
        term.askWhenSilent();
        term.askWhenSilent();
        assertThat(asked).containsExactly(1L);

        nowNs += RETRY.toNanos();
        term.askWhenSilent();
        assertThat(asked).containsExactly(1L, 1L);

        nowNs += RETRY.toNanos() - 1;
        term.receive(1);
        nowNs += 1;
        term.askWhenSilent();
        assertThat(asked).containsExactly(1L, 1L);
    }

    @Test
    void aFencedCommitIsNotAcknowledgedAndEndsTheTerm() throws IOException {
        SubscriberTerm term = term();
        state.failNextCommit(new StateFenceException("the state", 4, 5));

        term.receive(1);
        term.receive(1);
        nowNs += RETRY.toNanos();
        term.askWhenSilent();

        assertThat(worked).containsExactly(1L);
        assertThat(asked).isEmpty();
        assertThat(noted()).contains("refused 4 1 fence").doesNotContain("acknowledged 4 1 -");
    }

    @Test
    void aCommitAfterTheTermIsNotAcknowledgedAndStopsTheWork() throws IOException {
        SubscriberTerm term = term();
        state.failNextCommit(new NotHolderException("The term is over"));

        term.receive(1);
        term.receive(1);

        assertThat(worked).containsExactly(1L);
        assertThat(noted()).contains("refused 4 1 term-over").doesNotContain("acknowledged 4 1 -");
    }

    @Test
    void anUnknownOutcomeIsTriedAgainAndNeverSteppedOver() throws IOException {
        SubscriberTerm term = term();
        state.failNextCommit(new StateStoreException("The disk is full"));

        term.receive(1);
        term.receive(2);
        assertThat(state.get(SharedNames.CHECKPOINT)).isEmpty();
        assertThat(asked).containsExactly(1L);
        term.receive(1);
        term.receive(2);

        assertThat(worked).containsExactly(1L, 1L, 2L);
        assertThat(checkpoint()).isEqualTo("2");
        assertThat(noted()).contains("unknown 4 1 -", "acknowledged 4 1 -", "acknowledged 4 2 -");
    }

    @Test
    void workThatIsInterruptedIsNotCommitted() {
        SubscriberTerm term = term();
        interruptWork = true;

        term.receive(1);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(state.entries()).isEmpty();
        interruptWork = false;
        term.receive(1);
        assertThat(checkpoint()).isEqualTo("1");
    }

    private SubscriberTerm term() {
        return new SubscriberTerm(state, this::work, asked::add, history, () -> nowNs, RETRY);
    }

    private void work(long number) throws InterruptedException {
        if (interruptWork) {
            throw new InterruptedException();
        }
        worked.add(number);
    }

    private String checkpoint() {
        return state.get(SharedNames.CHECKPOINT).orElseThrow();
    }

    /** What was noted, without the times. */
    private List<String> noted() throws IOException {
        return Files.readAllLines(directory.resolve("A-1.history")).stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }
}
