package io.leasehold.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.sample.history.HistoryEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Shows that the checker accepts a run as it should be, and fails for each way in which one can be wrong. */
class CheckerTest {

    @Test
    void aRunWithTakeoversIsGood() {
        Verdict verdict = Checker.check(
                new RunBuilder()
                        .published(1, 6)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 2)
                        .worked("A-1", 1, 3)
                        .acquired("B-1", 2, 2)
                        .acknowledged("B-1", 2, 3, 4)
                        .acquired("A-2", 3, 4)
                        .refused("B-1", 2, 5, "term-over")
                        .refused("B-1", 2, 5, "fence")
                        .acknowledged("A-2", 3, 5, 6)
                        .build(),
                6);

        assertThat(verdict.good()).isTrue();
        assertThat(verdict.faults()).isEmpty();
        assertThat(verdict.published()).isEqualTo(6);
        assertThat(verdict.acknowledged()).isEqualTo(6);
        assertThat(verdict.storedUnseen()).isZero();
        assertThat(verdict.tooLate()).isEqualTo(1);
        assertThat(verdict.fenced()).isEqualTo(1);
        assertThat(verdict.epochs()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aReplicaKilledBetweenCommitAndNoteIsGood() {
        Verdict verdict = Checker.check(
                new RunBuilder()
                        .published(1, 3)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 1)
                        .worked("A-1", 1, 2)
                        .acquired("B-1", 2, 2)
                        .acknowledged("B-1", 2, 3, 3)
                        .build(),
                3);

        assertThat(verdict.good()).isTrue();
        assertThat(verdict.acknowledged()).isEqualTo(2);
        assertThat(verdict.storedUnseen()).isEqualTo(1);
    }

    @Test
    void anAcknowledgementNotedAfterAThawIsGood() {
        Verdict verdict = Checker.check(
                new RunBuilder()
                        .published(1, 2)
                        .acquired("A-1", 1, 0)
                        .worked("A-1", 1, 1)
                        .acquired("B-1", 2, 1)
                        .acknowledged("B-1", 2, 2, 2)
                        .add("A-1", HistoryEvent.ACKNOWLEDGED, 1, 1, "-")
                        .build(),
                2);

        assertThat(verdict.good()).isTrue();
        assertThat(verdict.acknowledged()).isEqualTo(2);
    }

    @Test
    void anUnknownOutcomeThatIsTriedAgainIsGood() {
        Verdict verdict = Checker.check(
                new RunBuilder()
                        .published(1, 1)
                        .acquired("A-1", 1, 0)
                        .worked("A-1", 1, 1)
                        .add("A-1", HistoryEvent.UNKNOWN, 1, 1, "-")
                        .acknowledged("A-1", 1, 1, 1)
                        .build(),
                1);

        assertThat(verdict.good()).isTrue();
        assertThat(verdict.unknown()).isEqualTo(1);
    }

    @Test
    void anEventThatNobodyWorkedOnIsLost() {
        Verdict verdict = Checker.check(
                new RunBuilder()
                        .published(1, 3)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 1)
                        .acknowledged("A-1", 1, 3, 3)
                        .build(),
                3);

        assertThat(verdict.good()).isFalse();
        assertThat(verdict.lost()).containsExactly(2L);
        assertThat(verdict.faults()).containsExactly("Epoch 1 acknowledged event 3 after event 1.");
    }

    @Test
    void anEventAboveTheFinalCheckpointIsLost() {
        Verdict verdict = Checker.check(
                new RunBuilder()
                        .published(1, 3)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 2)
                        .worked("A-1", 1, 3)
                        .build(),
                2);

        assertThat(verdict.good()).isFalse();
        assertThat(verdict.lost()).containsExactly(3L);
    }

    @Test
    void aNumberAcknowledgedUnderTwoEpochsIsTwice() {
        Verdict verdict = Checker.check(
                new RunBuilder()
                        .published(1, 3)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 2)
                        .acquired("B-1", 2, 1)
                        .acknowledged("B-1", 2, 2, 3)
                        .build(),
                3);

        assertThat(verdict.good()).isFalse();
        assertThat(verdict.twice()).containsExactly(2L);
        assertThat(verdict.faults())
                .containsExactly("Epoch 2 began at checkpoint 1 although event 2 had been acknowledged.");
    }

    @Test
    void aGapInsideATermIsAFaultEvenWhereAnotherTermHadWorkedOnIt() {
        Verdict verdict = Checker.check(
                new RunBuilder()
                        .published(1, 4)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 2)
                        .refused("A-1", 1, 3, "term-over")
                        .acquired("B-1", 2, 2)
                        .acknowledged("B-1", 2, 4, 4)
                        .build(),
                4);

        assertThat(verdict.good()).isFalse();
        assertThat(verdict.lost()).isEmpty();
        assertThat(verdict.faults()).containsExactly("Epoch 2 acknowledged event 4 after event 2.");
    }

    @Test
    void aNumberAcknowledgedTwiceInOneTermIsAFault() {
        assertFault(
                new RunBuilder()
                        .published(1, 1)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 1)
                        .acknowledged("A-1", 1, 1, 1),
                1,
                "Epoch 1 acknowledged event 1 after event 1.");
    }

    @Test
    void anAcknowledgementWithoutACheckpointReadFirstIsAFault() {
        assertFault(
                new RunBuilder()
                        .published(1, 1)
                        .add("A-1", HistoryEvent.ACQUIRED, 1, 0, "-")
                        .acknowledged("A-1", 1, 1, 1),
                1,
                "Epoch 1 acknowledged event 1 before it read the checkpoint.");
    }

    @Test
    void aCheckpointThatNobodyHadWorkedToIsAFault() {
        assertFault(
                new RunBuilder()
                        .published(1, 3)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 1)
                        .acquired("B-1", 2, 2)
                        .worked("B-1", 2, 2)
                        .acknowledged("B-1", 2, 3, 3),
                3,
                "Epoch 2 began at checkpoint 2, of an event that nobody had worked on.");
    }

    @Test
    void aFinalCheckpointBelowAnAcknowledgementIsAFault() {
        assertFault(
                new RunBuilder().published(1, 2).acquired("A-1", 1, 0).acknowledged("A-1", 1, 1, 2),
                1,
                "The final checkpoint 1 is below event 2, which was acknowledged.");
    }

    @Test
    void aFinalCheckpointThatNobodyWorkedToIsAFault() {
        assertFault(
                new RunBuilder().published(1, 1).acquired("A-1", 1, 0).acknowledged("A-1", 1, 1, 1),
                7,
                "The final checkpoint 7 is of an event that nobody worked on.");
    }

    @Test
    void anEventThatWasNeverPublishedOrWorkedOnCannotBeAcknowledged() {
        assertFault(
                new RunBuilder()
                        .published(1, 1)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 1)
                        .add("A-1", HistoryEvent.ACKNOWLEDGED, 1, 2, "-"),
                1,
                "Event 2 was acknowledged without having been published and worked on.");
    }

    @Test
    void aNumberThatThePublisherLeftOutIsAFault() {
        assertFault(
                new RunBuilder()
                        .published(1, 1)
                        .published(3, 3)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 3),
                3,
                "Event 2 was left out by the publisher.");
    }

    @Test
    void anEpochUsedByTwoProcessesIsAFault() {
        assertFault(
                new RunBuilder()
                        .published(1, 2)
                        .acquired("A-1", 1, 0)
                        .acknowledged("A-1", 1, 1, 1)
                        .add("B-1", HistoryEvent.ACQUIRED, 1, 0, "-")
                        .acknowledged("B-1", 1, 2, 2),
                2,
                "Epoch 1 was used by more than one process.");
    }

    @Test
    void anEpochThatDoesNotRiseIsAFault() {
        assertFault(
                new RunBuilder()
                        .published(1, 2)
                        .acquired("A-1", 5, 0)
                        .acknowledged("A-1", 5, 1, 1)
                        .acquired("B-1", 4, 0)
                        .worked("B-1", 4, 1)
                        .acknowledged("A-1", 5, 2, 2),
                2,
                "Epoch 4 began after epoch 5.");
    }

    @Test
    void aRunInWhichNothingWasPublishedProvesNothing() {
        assertFault(new RunBuilder(), 0, "Nothing was published.");
    }

    @Test
    void aHandOverIsTimedFromTheDisturbanceOfTheLeader() {
        List<HandOver> handOvers = Checker.check(
                        new RunBuilder()
                                .published(1, 2)
                                .acquired("A-1", 1, 0)
                                .acknowledged("A-1", 1, 1, 1)
                                .disturbed(HistoryEvent.FROZEN, "A")
                                .acquired("B-1", 2, 1)
                                .acknowledged("B-1", 2, 2, 2)
                                .surrendered("B-1", 2)
                                .acquired("A-1", 3, 2)
                                .build(),
                        2)
                .handOvers();

        assertThat(handOvers).hasSize(2);
        assertThat(handOvers.get(0).cause()).isEqualTo(HistoryEvent.FROZEN);
        assertThat(handOvers.get(0).untilLed()).hasMillis(100);
        assertThat(handOvers.get(0).untilWorked()).hasMillis(400);
        assertThat(handOvers.get(1).cause()).isNull();
        assertThat(handOvers.get(1).untilLed()).hasMillis(100);
        assertThat(handOvers.get(1).untilWorked()).isNull();
    }

    private static void assertFault(RunBuilder run, long checkpoint, String fault) {
        Verdict verdict = Checker.check(run.build(), checkpoint);
        assertThat(verdict.good()).isFalse();
        assertThat(verdict.faults()).contains(fault);
    }
}
