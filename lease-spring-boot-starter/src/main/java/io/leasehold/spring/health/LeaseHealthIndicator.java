package io.leasehold.spring.health;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseStatus;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.ListenersStage;
import io.leasehold.spring.ListenersStatus;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * The health of a lease in this process. A standby is well: UP. Details tell the role, the epoch, the own holder id and
 * who holds, when the term was confirmed last (of a leader), what the listeners do, and the reason wherever the status
 * is not UP. Costs no I/O. Safe for use by several threads.
 *
 * <p>DOWN: the state cannot be opened; this process leads and a listener does not run, or could not be started;
 * listeners have not stopped in time. UNKNOWN: a standby cannot read the lease, or this process does not contend.
 */
public final class LeaseHealthIndicator extends AbstractHealthIndicator {
    private final LeaderLease lease;
    private final LeaseListeners listeners;

    /**
     * The health of one lease.
     *
     * @param lease the lease
     * @param listeners what follows it
     */
    public LeaseHealthIndicator(LeaderLease lease, LeaseListeners listeners) {
        this.lease = lease;
        this.listeners = listeners;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        LeaseStatus status = lease.status();
        ListenersStatus work = listeners.status();
        describe(builder, status, work);
        switch (status.phase()) {
            case STANDBY -> standby(builder, status);
            case HOLDING -> holder(builder, status, work);
            case DRAINING -> draining(builder, status);
            case CLOSED -> builder.unknown().withDetail("reason", "does not contend");
        }
        if (work.stage() == ListenersStage.STOP_NOT_CONFIRMED) {
            builder.down().withDetail("reason", "stop not confirmed").withDetail("running", work.running());
        }
        if (status.stateFailure() != null) {
            builder.down().withDetail("reason", status.stateFailure());
        }
    }

    private void describe(Health.Builder builder, LeaseStatus status, ListenersStatus work) {
        builder.withDetail("name", lease.settings().name())
                .withDetail("role", status.role())
                .withDetail("epoch", status.epoch())
                .withDetail("holder", status.holder());
        if (status.currentHolder() != null) {
            builder.withDetail("currentHolder", status.currentHolder());
        }
        if (status.lastConfirmed() != null) {
            builder.withDetail("lastConfirmed", status.lastConfirmed().toString());
        }
        Map<String, Object> listening = new LinkedHashMap<>();
        listening.put("stage", text(work.stage()));
        listening.put("running", work.running().size());
        listening.put("stopped", work.stopped().size());
        listening.put("inFlight", work.inFlight());
        builder.withDetail("listeners", listening);
    }

    private static void standby(Health.Builder builder, LeaseStatus status) {
        if (status.reachable()) {
            builder.up();
        } else {
            builder.unknown().withDetail("reason", reason(status));
        }
    }

    private void holder(Health.Builder builder, LeaseStatus status, ListenersStatus work) {
        boolean confirmed = status.reachable() && status.unverifiedStreak() == 0;
        builder.up().withDetail("confirmed", confirmed);
        if (!confirmed) {
            builder.withDetail("failure", reason(status));
        }
        Duration ttl = lease.settings().ttl();
        boolean starting =
                work.stage() != ListenersStage.STARTED && work.since().compareTo(ttl) < 0;
        if (work.startFailure() != null) {
            builder.down().withDetail("reason", work.startFailure());
        } else if (!starting && work.stage() == ListenersStage.STARTING) {
            builder.down().withDetail("reason", "listeners have not been started within a ttl");
        } else if (!starting && !work.stopped().isEmpty()) {
            builder.down().withDetail("reason", "listeners do not run").withDetail("stopped", work.stopped());
        }
    }

    private static void draining(Health.Builder builder, LeaseStatus status) {
        builder.withDetail("draining", true);
        if (status.reachable()) {
            builder.up();
        } else {
            builder.unknown().withDetail("reason", reason(status));
        }
    }

    private static String reason(LeaseStatus status) {
        return Objects.requireNonNullElse(status.lastFailure(), "the lease could not be confirmed");
    }

    private static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
