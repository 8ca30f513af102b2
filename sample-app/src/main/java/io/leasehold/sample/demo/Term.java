package io.leasehold.sample.demo;

import io.leasehold.sample.history.HistoryLine;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One term of a replica, as its history shows it.
 *
 * @param process the process that led
 * @param replica the name of the replica
 * @param epoch the epoch
 * @param acquiredAt when it noted that it leads
 * @param surrenderedAt when it noted that its term ends; null where it has not, or could not
 * @param workedAt when it noted its first acknowledged event; null where there is none
 */
record Term(
        String process,
        String replica,
        long epoch,
        Instant acquiredAt,
        @Nullable Instant surrenderedAt,
        @Nullable Instant workedAt) {

    /** Whether it has acknowledged an event, and not surrendered as far as is known. */
    boolean working() {
        return workedAt != null && surrenderedAt == null;
    }

    /** This term with what one more of its lines says. */
    Term with(HistoryLine line) {
        return switch (line.event()) {
            case SURRENDERED -> new Term(process, replica, epoch, acquiredAt, line.at(), workedAt);
            case ACKNOWLEDGED ->
                workedAt != null ? this : new Term(process, replica, epoch, acquiredAt, surrenderedAt, line.at());
            default -> this;
        };
    }
}
