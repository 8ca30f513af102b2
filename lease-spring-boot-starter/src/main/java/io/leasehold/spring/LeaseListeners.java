package io.leasehold.spring;

import io.leasehold.LeaderLease;
import io.leasehold.Lease;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * The listener containers that follow a lease. As a lifecycle bean in the first phase it holds them back before the context
 * can start them; {@link LeaderLifecycle} starts and stops them. Safe for use by several threads.
 *
 * <p>Followed are all listener containers of the application, or only those that are named, and the endpoints of one role of
 * Spring Integration. A name may also be that of any {@link SmartLifecycle} bean that does not start by itself; such a bean
 * has no guard. Containers that are registered after the context has started are held back at the next look, which may be up
 * to a second later.
 */
public final class LeaseListeners implements SmartLifecycle, SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseListeners.class);
    private static final long LOOK_AGAIN_MS = 5;
    private static final FollowerThreads THREADS = FollowerThreads.SHARED;

    private final LeaderLease lease;
    private final ApplicationContext context;
    private final boolean all;
    private final List<String> names;
    private final int startAttempts;
    private final LeaderCalls calls;
    private final LongAdder refused = new LongAdder();
    private final ListenersProgress progress;
    private final FollowedContainers followed;
    private final AtomicBoolean stopPending = new AtomicBoolean();
    /** The term for which containers are started. */
    private volatile @Nullable Lease term;
    /** The term that lets work in: longer than the above, until all work has been seen to end. */
    private volatile @Nullable Lease admitting;

    private volatile List<String> notQuiet = List.of();
    private volatile boolean running;

    private LeaseListeners(
            LeaderLease lease,
            ApplicationContext context,
            boolean all,
            List<String> names,
            int startAttempts,
            String integrationRole) {
        if (startAttempts < 1) {
            throw new IllegalArgumentException("startAttempts is " + startAttempts + ", and must be 1 or more");
        }
        this.lease = lease;
        this.context = context;
        this.all = all;
        this.names = List.copyOf(names);
        this.startAttempts = startAttempts;
        this.progress = new ListenersProgress(lease.settings().drainTimeout());
        this.calls = new LeaderCalls(() -> admitting);
        this.followed = new FollowedContainers(
                new ListenerFinder(context, all, this.names, this::newGuard, lease, integrationRole));
    }

    /**
     * Every listener container follows the lease.
     *
     * @param lease the lease
     * @param context the context that the containers are in
     * @param startAttempts how often a container is tried to be started in one term; 1 or more
     * @return listeners that have not been looked for yet; that happens at the start
     */
    public static LeaseListeners all(LeaderLease lease, ApplicationContext context, int startAttempts) {
        return new LeaseListeners(
                lease, context, true, List.of(), startAttempts, lease.settings().name());
    }

    /**
     * Only what is named follows the lease.
     *
     * @param lease the lease
     * @param context the context that the containers are in
     * @param names listener ids or bean names; may be empty
     * @param startAttempts how often a container is tried to be started in one term; 1 or more
     * @return listeners that have not been looked for yet; that happens at the start
     */
    public static LeaseListeners named(
            LeaderLease lease, ApplicationContext context, List<String> names, int startAttempts) {
        return new LeaseListeners(
                lease, context, false, names, startAttempts, lease.settings().name());
    }

    /**
     * The same, with a role of Spring Integration that is not the lease's name.
     *
     * @param role the role of the endpoints that follow the lease
     * @return other listeners, to be used in place of these
     */
    public LeaseListeners withIntegrationRole(String role) {
        return new LeaseListeners(lease, context, all, names, startAttempts, role);
    }

    /**
     * What the containers follow.
     *
     * @return the lease
     */
    public LeaderLease lease() {
        return lease;
    }

    /** Holds back what is there already: some of it may start in the first phase too. */
    @Override
    public void afterSingletonsInstantiated() {
        followed.discover();
    }

    /** Before everything else, so that no container has been started yet. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    /**
     * Holds the containers back.
     *
     * @throws UnsuitableListenerException when a name matches nothing, or a named bean would start by itself
     */
    @Override
    public void start() {
        followed.discover();
        followed.requireSuitable(lease.settings().name(), names);
        running = true;
    }

    /** Does nothing more: the containers are stopped by {@link LeaderLifecycle}. */
    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /**
     * How the containers stand.
     *
     * @return a snapshot
     */
    public ListenersStatus status() {
        return new ListenersStatus(
                progress.stage(),
                progress.since(),
                followed.names(container -> container.isListed() && container.isRunning()),
                followed.names(container -> container.isListed() && !container.isRunning()),
                calls.inFlight() + followed.inFlight(),
                progress.startFailure());
    }

    /**
     * How many messages were not handled because this process did not hold the lease.
     *
     * @return the number since this object was made
     */
    public long refusedMessages() {
        return refused.sum();
    }

    /**
     * How many attempts to start the containers failed.
     *
     * @return the number since this object was made
     */
    public long startFailures() {
        return progress.startFailures();
    }

    /**
     * How many calls of {@link LeaderOnly} methods were left out because this process did not hold the lease.
     *
     * @return the number since this object was made
     */
    public long skippedCalls() {
        return calls.skipped();
    }

    LeaderCalls leaderCalls() {
        return calls;
    }

    /** Looks for containers that were registered since, and has stopped what runs without the lease. */
    void holdBack() {
        try {
            followed.discover();
        } finally {
            stopWithoutLease();
        }
    }

    /** A term has begun: from now on its work is let in, and has to be awaited with {@link #awaitStopped(Lease)}. */
    synchronized void beginTerm(Lease begun) {
        term = begun;
        admitting = begun;
        progress.enterWell(ListenersStage.STARTING);
    }

    /**
     * Starts all containers and waits for that, but not beyond the moment when the surrender begins.
     *
     * @throws IllegalStateException when one could not be started: the term is to surrender, which stops all
     */
    void startAll(Lease begun) {
        ListenersStart start = new ListenersStart(
                begun,
                lease.settings(),
                () -> begun.equals(term) && begun.isHeld(),
                startAttempts,
                progress::startFailed);
        try {
            followed.discover();
            if (start.start(followed.all())) {
                progress.enterWell(ListenersStage.STARTED);
            }
        } catch (UnsuitableListenerException e) {
            progress.startFailed(e.problem());
            throw e;
        }
    }

    /** Tells all containers to stop. */
    synchronized void beginStop() {
        term = null;
        notQuiet = followed.names(container -> true);
        progress.enter(ListenersStage.STOPPING);
        followed.stopAll();
    }

    /** Returns when all work has ended, and none can begin any more; that may be never. */
    void awaitStopped(Lease ended) {
        for (; ; ) {
            notQuiet = followed.names(container -> !container.isQuiet());
            if (calls.inFlight() > 0 || !notQuiet.isEmpty()) {
                tellWhenOverdue(ended);
                pause();
            } else if (admitting != null) {
                // Something may have come in since it was looked at: nothing does from now on, and all is looked at
                // again.
                admitting = null;
            } else {
                progress.enter(ListenersStage.HELD_BACK);
                return;
            }
        }
    }

    /** Says once when the drain timeout has passed. Asks no container, which might not answer. */
    void tellWhenOverdue(Lease ended) {
        if (progress.becomesOverdue(ended)) {
            LOG.warn(
                    "Lease {}, epoch {}: stop not confirmed, listeners {} are still at work, and {} calls of @LeaderOnly"
                            + " methods; the lease is not released before they return",
                    ended.name(),
                    ended.epoch(),
                    notQuiet,
                    calls.inFlight());
        }
    }

    private MessageGuard newGuard() {
        return new MessageGuard(this::admits, this::stopSoon, refused);
    }

    private boolean admits() {
        Lease current = admitting;
        return current != null && current.isHeld();
    }

    private void stopSoon() {
        if (stopPending.compareAndSet(false, true)) {
            THREADS.execute(() -> {
                try {
                    stopWithoutLease();
                } finally {
                    stopPending.set(false);
                }
            });
        }
    }

    private void stopWithoutLease() {
        List<FollowedContainer> running = followed.running();
        synchronized (this) {
            if (!mayWork()) {
                running.forEach(FollowedContainer::stop);
            }
        }
    }

    private boolean mayWork() {
        Lease current = term;
        return current != null && current.isHeld();
    }

    private static void pause() {
        try {
            Thread.sleep(LOOK_AGAIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            // Returning would mean that the work has stopped.
            throw new IllegalStateException("Interrupted before all listeners had stopped", e);
        }
    }
}
