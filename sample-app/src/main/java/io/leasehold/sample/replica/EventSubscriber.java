package io.leasehold.sample.replica;

import io.leasehold.NotHolderException;
import io.leasehold.state.LeaderState;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands what the broker delivers to the current term, and drops it where there is none. Safe for use by several threads:
 * a delivery that is still worked on when the next term begins stays with the term in which it came.
 */
final class EventSubscriber {
    private static final Logger LOG = LoggerFactory.getLogger(EventSubscriber.class);

    private final Function<LeaderState, SubscriberTerm> terms;
    private volatile @Nullable SubscriberTerm term;

    EventSubscriber(Function<LeaderState, SubscriberTerm> terms) {
        this.terms = terms;
    }

    /** A term has begun: resumes at the checkpoint. */
    void begin(LeaderState state) {
        try {
            term = terms.apply(state);
        } catch (NotHolderException e) {
            LOG.info("Epoch {} was over before its first event", state.epoch());
        }
    }

    /** The term has ended, or is about to: nothing more is begun. */
    void end() {
        term = null;
    }

    /** The broker has delivered an event. */
    void receive(long number) {
        SubscriberTerm current = term;
        if (current != null) {
            current.receive(number);
        }
    }

    /** Asks for the next event where it has not come for a while. */
    void askWhenSilent() {
        SubscriberTerm current = term;
        if (current != null) {
            current.askWhenSilent();
        }
    }
}
