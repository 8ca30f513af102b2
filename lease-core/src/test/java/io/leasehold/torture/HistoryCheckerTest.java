package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every rule is broken by a history here, and kept by one that differs from it as little as possible. */
class HistoryCheckerTest {
    private final Told a = new Told("a");
    private final Told b = new Told("b");

    private static List<Rule> broken(Told... told) {
        return HistoryChecker.check(Arrays.stream(told).map(Told::history).toList()).stream()
                .map(Violation::rule)
                .toList();
    }

    @Test
    void aHandOverWithEverythingInOrderIsNoViolation() {
        a.acquired(10, 1).held(11, 12, 1).handled(12, 14, 1, 1).acknowledged(15, 17, 1, 1);
        a.surrendered(20, 1)
                .stopped(21, 1)
                .held(21, 22, 1)
                .over(23, 24, 1)
                .drained(25, 1, "RELEASED")
                .closed(60);
        b.acquired(30, 2, new Progress(1, 1))
                .held(31, 32, 2)
                .handled(33, 34, 2, 2)
                .acknowledged(35, 36, 2, 2);
        b.surrendered(40, 2).stopped(41, 2).closed(50);
        assertThat(broken(a, b)).isEmpty();
    }

    @Test
    void twoTermsThatAreHeldTogetherAreFound() {
        a.acquired(10, 1).held(11, 12, 1).held(41, 42, 1);
        b.acquired(30, 2).held(31, 32, 2).held(50, 51, 2);
        assertThat(broken(a, b)).containsExactly(Rule.ONE_HOLDER);
    }

    @Test
    void oneAnswerInsideAnothersTermIsFound() {
        a.acquired(10, 1).held(11, 12, 1).held(51, 52, 1);
        b.acquired(30, 2).held(31, 32, 2);
        assertThat(broken(a, b)).containsExactly(Rule.ONE_HOLDER);
    }

    @Test
    void aLowerEpochThatIsHeldOnlyAfterAHigherOneIsFound() {
        a.acquired(40, 1).held(41, 42, 1);
        b.acquired(10, 2).held(11, 12, 2).held(14, 15, 2);
        assertThat(broken(a, b)).containsExactly(Rule.ONE_HOLDER);
    }

    @Test
    void anAnswerThatTookLongMayHaveBeenTrueBeforeTheNextTermBegan() {
        a.acquired(10, 1).held(11, 12, 1).held(13, 90, 1);
        b.acquired(30, 2).held(31, 32, 2).held(60, 61, 2);
        assertThat(broken(a, b)).isEmpty();
    }

    @Test
    void anAnswerThatTookLongMayHaveBeenTrueAfterTheTermBeforeHadEnded() {
        a.acquired(10, 1).held(11, 12, 1).held(50, 51, 1);
        b.acquired(20, 2).held(21, 60, 2).held(61, 62, 2);
        assertThat(broken(a, b)).isEmpty();
    }

    @Test
    void twoProcessesInOneEpochAreFound() {
        a.acquired(10, 3).held(11, 12, 3);
        b.acquired(90, 3).held(91, 92, 3);
        assertThat(broken(a, b)).containsExactly(Rule.UNIQUE_EPOCHS);
    }

    @Test
    void anEpochThatWasWonTwiceIsFoundWhereNobodyWorkedInIt() {
        a.at(10, 11, HistoryEvent.CLAIMED, 3, 0, "ACQUIRED");
        b.at(90, 91, HistoryEvent.CLAIMED, 3, 0, "LOST");
        assertThat(broken(a, b)).isEmpty();
        b.at(92, 93, HistoryEvent.CLAIMED, 3, 0, "ACQUIRED");
        assertThat(broken(a, b)).containsExactly(Rule.UNIQUE_EPOCHS);
    }

    @Test
    void aTermThatComesBackToLifeIsFound() {
        a.acquired(10, 1).held(11, 12, 1).over(13, 14, 1).held(15, 16, 1);
        assertThat(broken(a)).containsExactly(Rule.NO_REVIVAL);
    }

    @Test
    void aQuestionOfAnotherThreadThatWasAskedBeforeTheEndIsNoRevival() {
        a.acquired(10, 1).held(11, 12, 1).over(13, 16, 1).held(12, 17, 1);
        assertThat(broken(a)).isEmpty();
    }

    @Test
    void anAcquiredTermWithoutTheSurrenderOfTheOneBeforeIsFound() {
        a.acquired(10, 1).acquired(20, 2).surrendered(30, 2).stopped(31, 2);
        assertThat(broken(a)).containsExactly(Rule.PAIRED_CALLS);
    }

    @Test
    void aSurrenderOfATermThatWasNotToldOfIsFound() {
        a.surrendered(20, 1).stopped(21, 1);
        assertThat(broken(a)).containsExactly(Rule.PAIRED_CALLS);
    }

    @Test
    void aSecondSurrenderIsFound() {
        a.acquired(10, 1).surrendered(20, 1).stopped(21, 1).surrendered(22, 1).stopped(23, 1);
        assertThat(broken(a)).containsExactly(Rule.PAIRED_CALLS);
    }

    @Test
    void epochsThatFallInOneProcessAreFound() {
        a.acquired(10, 2).surrendered(20, 2).stopped(21, 2);
        a.acquired(30, 1).surrendered(40, 1).stopped(41, 1);
        assertThat(broken(a)).containsExactly(Rule.PAIRED_CALLS);
    }

    @Test
    void aProcessThatWasKilledOwesNoSurrenderAndOneThatClosedDoes() {
        a.acquired(10, 1);
        assertThat(broken(a)).isEmpty();
        a.closed(20);
        assertThat(broken(a)).containsExactly(Rule.PAIRED_CALLS);
    }

    @Test
    void anAcknowledgedCommitThatALaterTermDoesNotFindIsFound() {
        a.acquired(10, 1).handled(11, 12, 1, 1).acknowledged(12, 13, 1, 1);
        b.acquired(30, 2);
        assertThat(broken(a, b)).containsExactly(Rule.KEPT_COMMITS, Rule.KEPT_COMMITS);
    }

    @Test
    void anOlderStateThanTheAcknowledgedOneIsFound() {
        a.acquired(10, 1)
                .handled(11, 12, 1, 1)
                .committing(12, 1, 1)
                .handled(13, 14, 1, 2)
                .acknowledged(15, 16, 1, 2);
        b.acquired(30, 2, new Progress(1, 1));
        assertThat(broken(a, b)).containsExactly(Rule.KEPT_COMMITS, Rule.KEPT_COMMITS);
    }

    @Test
    void theTermAfterTheNextHasToFindACommitToo() {
        a.acquired(10, 1).handled(11, 12, 1, 1).acknowledged(12, 13, 1, 1);
        b.acquired(30, 2, new Progress(1, 1)).acquired(40, 3);
        assertThat(broken(a, b)).contains(Rule.KEPT_COMMITS);
    }

    @Test
    void aRefusedCommitMayBeFoundOrNot() {
        a.acquired(10, 1).handled(11, 12, 1, 1).committing(12, 1, 1).at(12, 13, HistoryEvent.REFUSED, 1, 1, "FENCED");
        assertThat(broken(a, new Told("b").acquired(30, 2))).isEmpty();
        assertThat(broken(a, new Told("b").acquired(30, 2, new Progress(1, 1)))).isEmpty();
    }

    @Test
    void aStateThatNobodyWroteIsFound() {
        a.acquired(10, 1, new Progress(0, 1));
        assertThat(broken(a)).contains(Rule.WHOLE_STATES);
    }

    @Test
    void aStateWithPartsOfSeveralCommitsIsFound() {
        a.acquired(10, 1).committing(12, 1, 1).committing(13, 1, 9);
        String mixed = "count=" + new Progress(1, 9) + ",slot1=" + new Progress(1, 1);
        b.at(30, 30, HistoryEvent.ACQUIRED, 2, 0, mixed);
        assertThat(broken(a, b)).containsExactly(Rule.WHOLE_STATES);
    }

    @Test
    void aCommitThatIsAcknowledgedAfterAHigherEpochWasOpenedIsFound() {
        a.acquired(10, 1).handled(11, 12, 1, 1);
        b.acquired(30, 2, new Progress(1, 1));
        a.acknowledged(31, 33, 1, 1);
        assertThat(broken(a, b)).containsExactly(Rule.FENCED_COMMITS);
    }

    @Test
    void aCommitThatWasCalledBeforeMayReturnAfterIt() {
        a.acquired(10, 1).handled(11, 12, 1, 1).acknowledged(29, 90, 1, 1);
        b.acquired(30, 2, new Progress(1, 1));
        assertThat(broken(a, b)).isEmpty();
    }

    @Test
    void workAfterAReleaseIsFound() {
        a.acquired(10, 1).held(11, 12, 1).drained(20, 1, "RELEASED").handled(12, 40, 1, 1);
        b.acquired(30, 2).held(31, 32, 2);
        assertThat(broken(a, b)).containsExactly(Rule.WORK_BEFORE_RELEASE);
    }

    @Test
    void workOfATermThatRanOutMayEndLate() {
        a.acquired(10, 1).held(11, 12, 1).drained(20, 1, "EXPIRED").handled(12, 40, 1, 1);
        b.acquired(30, 2).held(31, 32, 2);
        assertThat(broken(a, b)).isEmpty();
    }

    @Test
    void anEventThatNobodyHandledIsFound() {
        a.acquired(10, 1).handled(11, 12, 1, 1).handled(13, 14, 1, 3).acknowledged(15, 16, 1, 3);
        assertThat(broken(a)).containsExactly(Rule.NOTHING_SKIPPED);
    }
}
