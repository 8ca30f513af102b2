package io.leasehold.torture;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What one process wrote of one term.
 *
 * <p>A true answer of {@code isHeld()} is true of one moment between the time before the question and the time after it, and
 * a term is held for one span of time. So the span certainly holds the time from the <em>end</em> of the first such question
 * to the <em>beginning</em> of the last one, and nothing more is certain: a process can be stopped inside a question. Of a
 * term with one true answer the first of these lies after the second; see {@link #wasHeldAfterBeginOf}.
 *
 * @param process the name of the process
 * @param epoch the epoch of the term
 * @param lines its lines
 */
record Term(String process, long epoch, List<HistoryLine> lines) {
    /** The detail of a term that was over before its state could be read. */
    static final String OVER_ALREADY = "over";

    Stream<HistoryLine> all(HistoryEvent event) {
        return lines.stream().filter(line -> line.event() == event);
    }

    private HistoryLine acquired() {
        return all(HistoryEvent.ACQUIRED).findFirst().orElseThrow();
    }

    /** A time at which the term's state had been opened. */
    long acquiredNs() {
        return acquired().fromNs();
    }

    /** The state that the term began with; empty where it could not be read. */
    Optional<Map<String, Progress>> found() {
        String detail = acquired().detail();
        return detail.equals(OVER_ALREADY) ? Optional.empty() : Optional.of(Progress.ofWord(detail));
    }

    /** The latest time at which the term may have begun. */
    OptionalLong begunByNs() {
        return all(HistoryEvent.HELD).mapToLong(HistoryLine::toNs).min();
    }

    /** The earliest time at which the term may have ended. */
    OptionalLong heldUntilNs() {
        return all(HistoryEvent.HELD).mapToLong(HistoryLine::fromNs).max();
    }

    /** Whether this term was held at a time after the other had begun, however the questions' times are read. */
    boolean wasHeldAfterBeginOf(Term other) {
        OptionalLong heldUntilNs = heldUntilNs();
        OptionalLong begunByNs = other.begunByNs();
        return heldUntilNs.isPresent() && begunByNs.isPresent() && heldUntilNs.getAsLong() - begunByNs.getAsLong() > 0;
    }

    /** Whether the lease was given back, which says that all work had stopped. */
    boolean wasReleased() {
        return all(HistoryEvent.DRAINED).anyMatch(line -> line.detail().equals("RELEASED"));
    }

    @Override
    public String toString() {
        return "epoch " + epoch + " of " + process;
    }
}
