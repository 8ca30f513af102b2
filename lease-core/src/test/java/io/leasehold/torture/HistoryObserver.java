package io.leasehold.torture;

import io.leasehold.LeaseObserver;
import io.leasehold.LeaseOperation;
import io.leasehold.LeaseOutcome;
import org.jspecify.annotations.Nullable;

/** Writes down how claims, renews and drains end. Safe for use by several threads. */
final class HistoryObserver implements LeaseObserver {
    private final History history;

    HistoryObserver(History history) {
        this.history = history;
    }

    @Override
    public Observed begin(LeaseOperation operation, String lease, String holder, long epoch) {
        long fromNs = System.nanoTime();
        return (outcome, failure) -> {
            HistoryEvent event = event(operation, outcome);
            if (event != null) {
                history.note(new HistoryLine(fromNs, System.nanoTime(), event, epoch, 0, outcome.name()));
            }
        };
    }

    private static @Nullable HistoryEvent event(LeaseOperation operation, LeaseOutcome outcome) {
        return switch (operation) {
            case ACQUIRE -> HistoryEvent.CLAIMED;
            case RENEW -> outcome == LeaseOutcome.CONFIRMED ? null : HistoryEvent.RENEWED;
            case DRAIN -> HistoryEvent.DRAINED;
            case START, COMMIT -> null;
        };
    }
}
