package io.leasehold.spring;

import io.leasehold.LeaderLease;
import io.leasehold.Lease;
import io.leasehold.LeaseListener;
import io.leasehold.SurrenderReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ApplicationContextEvent;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.ContextRestartedEvent;
import org.springframework.context.event.ContextStartedEvent;

/**
 * Ties a lease to an application context. It contends once the context has started, starts and stops the {@link
 * LeaseListeners} with each term, publishes {@link LeadershipAcquired} and {@link LeadershipLost}, and when the context
 * closes or is stopped it stops the listeners, waits for their work, and releases the lease, in that order. A context that
 * is started again contends again. Safe for use by several threads.
 *
 * <p>It begins to stop when the context begins to close, and its phase makes the context wait for it before clients and
 * connection factories are closed. The wait is bounded by {@code spring.lifecycle.timeout-per-shutdown-phase}; where that
 * is too short the lease may not be released, and another process takes over after the ttl.
 *
 * <p>While it runs, a thread keeps the process alive, for an application in which nothing else does while its containers are
 * held back.
 */
public final class LeaderLifecycle
        implements SmartLifecycle, LeaseListener, ApplicationListener<ApplicationContextEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderLifecycle.class);
    private static final int PHASE = Integer.MAX_VALUE / 4;
    private static final Duration LONGEST_TICK = Duration.ofSeconds(1);
    private static final FollowerThreads THREADS = FollowerThreads.SHARED;

    private final LeaderLease lease;
    private final LeaseListeners listeners;
    private final ApplicationContext context;
    private final Duration phaseTimeout;
    private volatile CompletableFuture<Void> ended = CompletableFuture.completedFuture(null);
    private List<Future<?>> ticks = List.of();
    private boolean ending;
    private boolean failing;
    private volatile @Nullable Lease surrendered;
    private boolean refreshed;
    private boolean contending;
    private boolean warned;
    private long acquiredNs;

    /**
     * Becomes a listener of the lease.
     *
     * @param lease the lease; not started yet, and started and closed by nobody else
     * @param listeners the containers that follow it
     * @param context the context whose start and end count
     * @param phaseTimeout how long the context waits for one phase to stop
     */
    public LeaderLifecycle(
            LeaderLease lease, LeaseListeners listeners, ApplicationContext context, Duration phaseTimeout) {
        this.lease = lease;
        this.listeners = listeners;
        this.context = context;
        this.phaseTimeout = phaseTimeout;
        lease.addListener(this);
    }

    /**
     * The lease.
     *
     * @return the lease that this object starts and closes
     */
    public LeaderLease lease() {
        return lease;
    }

    /**
     * What follows the lease.
     *
     * @return the containers that this object starts and stops
     */
    public LeaseListeners listeners() {
        return listeners;
    }

    /** After clients and connection factories when starting, before them when stopping. */
    @Override
    public int getPhase() {
        return PHASE;
    }

    /** Keeps the process alive from now on. Contends only when the context tells that it has started. */
    @Override
    public void start() {
        // A stop that ran into the phase's timeout: the next term must not begin before the lease is closed.
        ended.join();
        synchronized (this) {
            if (isRunning()) {
                return;
            }
            warnOfShortPhase();
            THREADS.keepAlive();
            contending = false;
            ending = false;
            ticks = beginTicks();
            ended = new CompletableFuture<>();
        }
    }

    /** Closes the lease and waits for that. */
    @Override
    public void stop() {
        end().join();
    }

    /**
     * Closes the lease without waiting.
     *
     * @param callback called when the lease has been closed
     */
    @Override
    public void stop(Runnable callback) {
        CompletableFuture<Void> unused = end().thenRun(callback);
    }

    @Override
    public boolean isRunning() {
        return !ended.isDone();
    }

    /**
     * Contends when the context has started, and begins to close the lease when the context begins to close.
     *
     * @param event an event of any context; only those of the own one count
     */
    @Override
    public void onApplicationEvent(ApplicationContextEvent event) {
        if (!event.getApplicationContext().equals(context)) {
            return;
        }
        if (event instanceof ContextClosedEvent) {
            CompletableFuture<Void> unused = end();
        } else if (event instanceof ContextRefreshedEvent
                || event instanceof ContextStartedEvent
                || event instanceof ContextRestartedEvent) {
            synchronized (this) {
                refreshed = true;
            }
            // A context that starts again starts every container, held back or not.
            listeners.holdBack();
            contend();
        }
    }

    @Override
    public boolean supportsAsyncExecution() {
        return false;
    }

    @Override
    public void onAcquired(Lease begun) {
        acquiredNs = System.nanoTime();
        surrendered = null;
        listeners.beginTerm(begun);
        publish(new LeadershipAcquired(begun.name(), begun.holder(), begun.epoch()));
        listeners.startAll(begun);
    }

    @Override
    public void onSurrendered(Lease term, SurrenderReason reason) {
        listeners.beginStop();
        surrendered = term;
        Duration held = Duration.ofNanos(System.nanoTime() - acquiredNs);
        publish(new LeadershipLost(term.name(), term.epoch(), reason, held));
        listeners.awaitStopped(term);
    }

    private synchronized void contend() {
        if (refreshed && !contending && !ending && isRunning()) {
            contending = true;
            lease.start();
        }
    }

    private synchronized CompletableFuture<Void> end() {
        if (!ending && isRunning()) {
            ending = true;
            CompletableFuture<Void> end = ended;
            List<Future<?>> ticking = ticks;
            THREADS.execute(() -> close(end, ticking));
        }
        return ended;
    }

    private void close(CompletableFuture<Void> end, List<Future<?>> ticking) {
        try {
            lease.close();
        } catch (RuntimeException e) {
            LOG.error("Lease {} could not be closed", lease.settings().name(), e);
        } finally {
            ticking.forEach(tick -> tick.cancel(false));
            THREADS.letEnd();
            end.complete(null);
        }
    }

    private List<Future<?>> beginTicks() {
        Duration renew = lease.settings().renewInterval();
        long tickNs = (renew.compareTo(LONGEST_TICK) < 0 ? renew : LONGEST_TICK).toNanos();
        return List.of(THREADS.repeat(this::tick, tickNs), THREADS.repeat(this::tellWhenOverdue, tickNs));
    }

    /** Apart from the other: a container that is asked there may not answer. */
    private void tellWhenOverdue() {
        Lease term = surrendered;
        if (term != null) {
            listeners.tellWhenOverdue(term);
        }
    }

    private void tick() {
        try {
            listeners.holdBack();
            failing = false;
        } catch (RuntimeException e) {
            if (!failing) {
                LOG.warn(
                        "Lease {}: listeners could not be looked at",
                        lease.settings().name(),
                        e);
            }
            failing = true;
        }
        // A restore from a checkpoint starts the context again without an event.
        if (context instanceof Lifecycle lifecycle && lifecycle.isRunning()) {
            contend();
        }
    }

    private void warnOfShortPhase() {
        Duration drain = lease.settings().drainTimeout();
        if (!warned && drain.compareTo(phaseTimeout) > 0) {
            warned = true;
            LOG.warn(
                    "Lease {}: the drain timeout is {}, but the context waits only {} for a phase to stop; lengthen"
                            + " spring.lifecycle.timeout-per-shutdown-phase, or the lease may not be released at shutdown",
                    lease.settings().name(),
                    drain,
                    phaseTimeout);
        }
    }

    private void publish(Object event) {
        try {
            context.publishEvent(event);
        } catch (RuntimeException e) {
            LOG.error("Lease {}: a listener of {} failed", lease.settings().name(), event, e);
        }
    }
}
