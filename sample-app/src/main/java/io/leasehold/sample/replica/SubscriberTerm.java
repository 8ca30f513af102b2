package io.leasehold.sample.replica;

import io.leasehold.NotHolderException;
import io.leasehold.sample.history.History;
import io.leasehold.sample.history.HistoryEvent;
import io.leasehold.sample.process.SharedNames;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateStoreException;
import java.time.Duration;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Works events off during one term, strictly in order: the work of event n, then the commit of checkpoint n, then event
 * n + 1. Only a commit that returns acknowledges an event. Safe for use by several threads; one works at a time.
 *
 * <p>Whatever is missing is asked for: when a number is skipped, which the first event after the start shows as well, and
 * when nothing arrives for a while, which may mean that the last event of all was lost. An event may be worked on more
 * than once; none is stepped over.
 */
final class SubscriberTerm {
    private static final Logger LOG = LoggerFactory.getLogger(SubscriberTerm.class);

    private final LeaderState state;
    private final EventWork work;
    private final LongConsumer replayFrom;
    private final History history;
    private final LongSupplier nanoTime;
    private final long retryNs;
    private long expected;
    private long askedFor;
    private long askedAtNs;
    private long progressAtNs;
    private boolean outcomeUnknown;
    private boolean over;

    /**
     * Begins at the checkpoint.
     *
     * @param state the state of the term
     * @param work the work of an event
     * @param replayFrom asks the publisher to publish again from a number; may be lost
     * @param history where each step is noted
     * @param nanoTime the monotonic clock
     * @param retry how long to wait for an event before it is asked for again
     * @throws NotHolderException when the term is over already
     */
    SubscriberTerm(
            LeaderState state,
            EventWork work,
            LongConsumer replayFrom,
            History history,
            LongSupplier nanoTime,
            Duration retry) {
        this.state = state;
        this.work = work;
        this.replayFrom = replayFrom;
        this.history = history;
        this.nanoTime = nanoTime;
        this.retryNs = retry.toNanos();
        long checkpoint =
                state.get(SharedNames.CHECKPOINT).map(SubscriberTerm::number).orElse(0L);
        this.expected = checkpoint + 1;
        this.progressAtNs = nanoTime.getAsLong();
        history.note(HistoryEvent.RESUMED, state.epoch(), checkpoint);
    }

    /** Takes what the broker delivers: works on the event that is next, skips repeated ones, asks for missing ones. */
    synchronized void receive(long number) {
        history.note(HistoryEvent.RECEIVED, state.epoch(), number);
        if (over || number < expected) {
            return;
        }
        if (number > expected) {
            askUnlessJustAsked();
        } else if (worked(number)) {
            commit(number);
        }
    }

    /** Asks for the next event where it has not come for a while. Called from time to time. */
    synchronized void askWhenSilent() {
        if (!over && nanoTime.getAsLong() - progressAtNs >= retryNs) {
            askUnlessJustAsked();
        }
    }

    private void askUnlessJustAsked() {
        if (askedFor != expected || nanoTime.getAsLong() - askedAtNs >= retryNs) {
            askedFor = expected;
            askedAtNs = nanoTime.getAsLong();
            replayFrom.accept(expected);
        }
    }

    private boolean worked(long number) {
        try {
            work.handle(number);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        history.note(HistoryEvent.WORKED, state.epoch(), number);
        return true;
    }

    private void commit(long number) {
        try {
            state.commit(SharedNames.CHECKPOINT, Long.toString(number));
        } catch (StateFenceException e) {
            refused(number, "fence");
            return;
        } catch (NotHolderException e) {
            refused(number, "term-over");
            return;
        } catch (StateStoreException e) {
            outcomeUnknown(number, e);
            return;
        }
        history.note(HistoryEvent.ACKNOWLEDGED, state.epoch(), number);
        expected = number + 1;
        progressAtNs = nanoTime.getAsLong();
        outcomeUnknown = false;
    }

    private void refused(long number, String by) {
        over = true;
        history.note(HistoryEvent.REFUSED, state.epoch(), number, by);
        LOG.info("Epoch {} is over: the checkpoint {} was refused ({})", state.epoch(), number, by);
    }

    private void outcomeUnknown(long number, StateStoreException cause) {
        history.note(HistoryEvent.UNKNOWN, state.epoch(), number);
        if (!outcomeUnknown) {
            LOG.warn(
                    "The outcome of checkpoint {} is unknown; the event is tried again until it is known",
                    number,
                    cause);
        }
        outcomeUnknown = true;
    }

    private static long number(String checkpoint) {
        try {
            return Long.parseLong(checkpoint);
        } catch (NumberFormatException e) {
            throw new IllegalStateException(
                    "The checkpoint '" + SharedNames.CHECKPOINT
                            + "' in the state is not a number; correct or remove it",
                    e);
        }
    }
}
