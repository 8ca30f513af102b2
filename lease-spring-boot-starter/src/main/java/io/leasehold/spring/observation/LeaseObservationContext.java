package io.leasehold.spring.observation;

import io.leasehold.LeaseOperation;
import io.leasehold.LeaseOutcome;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

/** What is known of one operation of a lease. Used by one thread at a time. */
public final class LeaseObservationContext extends Observation.Context {
    private final LeaseOperation operation;
    private final String lease;
    private final String holder;
    private final long epoch;
    private @Nullable LeaseOutcome outcome;

    LeaseObservationContext(LeaseOperation operation, String lease, String holder, long epoch) {
        this.operation = operation;
        this.lease = lease;
        this.holder = holder;
        this.epoch = epoch;
    }

    /**
     * What is observed.
     *
     * @return the operation
     */
    public LeaseOperation getOperation() {
        return operation;
    }

    /**
     * The lease's name.
     *
     * @return the name from the settings
     */
    public String getLease() {
        return lease;
    }

    /**
     * The id of this contender.
     *
     * @return unique for each start of each lease object
     */
    public String getHolder() {
        return holder;
    }

    /**
     * The term that the operation belongs to, or that is claimed.
     *
     * @return the epoch
     */
    public long getEpoch() {
        return epoch;
    }

    /**
     * How it ended.
     *
     * @return one of the operation's outcomes; null while it is under way
     */
    public @Nullable LeaseOutcome getOutcome() {
        return outcome;
    }

    void setOutcome(LeaseOutcome ended) {
        this.outcome = ended;
    }
}
