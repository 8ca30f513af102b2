package io.leasehold.sample.publisher;

import io.leasehold.sample.history.History;
import io.leasehold.sample.history.HistoryEvent;
import java.util.function.LongConsumer;

/**
 * Publishes events with the numbers 1, 2, 3 and so on, and can publish them again from a number. Safe for use by several
 * threads: one sends at a time, so that a replay and what is new never interleave.
 */
final class EventPublisher {
    private final LongConsumer topic;
    private final History history;
    private long published;
    private boolean stopped;

    /**
     * A publisher that has published nothing yet.
     *
     * @param topic sends the event with a number
     * @param history what is published for the first time is noted there
     */
    EventPublisher(LongConsumer topic, History history) {
        this.topic = topic;
        this.history = history;
    }

    /** Publishes the next event. When that fails the same number is tried the next time. */
    synchronized void publishNext() {
        if (stopped) {
            return;
        }
        topic.accept(published + 1);
        published++;
        history.note(HistoryEvent.PUBLISHED, 0, published);
    }

    /** Publishes everything again from a number to the last one published; nothing where that is still to come. */
    synchronized void replay(long from) {
        for (long number = Math.max(1, from); number <= published; number++) {
            topic.accept(number);
        }
    }

    /** Publishes nothing new from now on; replays go on. */
    synchronized void stop() {
        stopped = true;
        history.note(HistoryEvent.STOPPED, 0);
    }
}
