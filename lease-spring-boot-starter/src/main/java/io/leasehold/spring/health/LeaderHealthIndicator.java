package io.leasehold.spring.health;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import io.leasehold.LeaseStatus;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Tells who leads, for a load balancer that is to reach the holder only: UP there until its surrender begins, OUT_OF_SERVICE
 * anywhere else. Costs no I/O. Safe for use by several threads.
 *
 * <p>Not guaranteed: that a request which was sent here on the strength of it arrives while the lease is still held.
 */
public final class LeaderHealthIndicator extends AbstractHealthIndicator {
    private final LeaderLease lease;

    /**
     * Whether this process leads with one lease.
     *
     * @param lease the lease
     */
    public LeaderHealthIndicator(LeaderLease lease) {
        this.lease = lease;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        LeaseStatus status = lease.status();
        builder.withDetail("name", lease.settings().name()).withDetail("role", status.role());
        if (status.phase() == LeasePhase.HOLDING && lease.isHeld()) {
            builder.up();
        } else {
            builder.outOfService();
        }
    }
}
