package io.leasehold.state;

import org.jspecify.annotations.Nullable;

/**
 * What a state store remembers of a lease.
 *
 * @param epoch the highest epoch that was ever opened, 0 for none: no later claim may be at or below it
 * @param leaseId the id of the lease that the state belongs to; null where the state was never opened
 */
public record StateHead(long epoch, @Nullable String leaseId) {}
