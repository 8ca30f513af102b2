package io.leasehold;

import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Contends for a lease, and keeps exactly one of the processes that do active. Safe for use by several threads.
 *
 * <p>After {@link #start()} this process is a standby; when it acquires the lease its listeners are told, and when the term
 * ends, for whatever reason, they are told again, in strict pairs. The guarantees, and what is not guaranteed, are in the
 * package's documentation.
 *
 * <p>Several leases in one process share one timer and a pool of workers; a thread is held only by work that blocks.
 */
public final class LeaderLease implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);

    private final LeaseSettings settings;
    private final LeaseStore leaseStore;
    private final @Nullable StateStore stateStore;
    private final LeaseClock clock = LeaseClock.SYSTEM;
    private final LeaseMemory memory;
    private final LeaseCounters counters = new LeaseCounters();
    private final ListenerCalls listeners = new ListenerCalls();
    private final Observers observers = new Observers();
    private final LeaderState currentState = new CurrentState(this::requireCurrent);
    private final String firstHolder;
    private volatile @Nullable LeaseRunner runner;

    /**
     * A lease that does not contend yet.
     *
     * @param settings the settings
     * @param leaseStore what the lease is kept in
     * @param stateStore what the state is kept in; null for a lease without state
     */
    public LeaderLease(LeaseSettings settings, LeaseStore leaseStore, @Nullable StateStore stateStore) {
        this.settings = settings;
        this.leaseStore = leaseStore;
        this.stateStore = stateStore;
        this.memory = new LeaseMemory(settings.ttl());
        this.firstHolder = HolderIds.newHolderId(settings.holderPrefix());
    }

    /**
     * Adds a listener. Allowed until the lease is started.
     *
     * @param listener the listener
     * @throws IllegalStateException when the lease is started
     */
    public synchronized void addListener(LeaseListener listener) {
        requireNotStarted("listeners");
        listeners.add(listener);
    }

    /**
     * Adds an observer. Allowed until the lease is started.
     *
     * @param observer the observer
     * @throws IllegalStateException when the lease is started
     */
    public synchronized void addObserver(LeaseObserver observer) {
        requireNotStarted("observers");
        observers.add(observer);
    }

    /**
     * Begins to contend, and returns at once. Does nothing where it contends already. Allowed again after a close; each start
     * is another holder, with an id of its own.
     */
    public synchronized void start() {
        if (isStarted()) {
            return;
        }
        LeaseThreads threads = LeaseThreads.SHARED;
        String holder = runner == null ? firstHolder : HolderIds.newHolderId(settings.holderPrefix());
        LeaseContext context = new LeaseContext(
                settings,
                holder,
                leaseStore,
                stateStore,
                clock,
                memory,
                counters,
                listeners,
                observers,
                threads::execute);
        LeaseRunner next = new LeaseRunner(context, threads);
        runner = next;
        LOG.info("Lease {}: {} contends at {}", settings.name(), holder, leaseStore.location());
        next.wake();
    }

    /**
     * Begins to give the lease up, where it is held, and returns at once: the listeners stop, the lease is released when they
     * have, and another can claim it. This process contends again after a ttl, or when another has led.
     */
    public void stepDown() {
        LeaseRunner now = runner;
        if (now != null) {
            now.election().stepDown();
        }
    }

    /**
     * Whether this process holds the lease now. It costs one volatile read and two clock reads; no I/O, no lock.
     *
     * @return true until the term's deadline, whatever any thread is doing
     * @see Lease#isHeld()
     */
    public boolean isHeld() {
        Lease lease = lease();
        return lease != null && lease.isHeld();
    }

    /**
     * The epoch of the current term: the fencing token for whoever can check it.
     *
     * @return the epoch
     * @throws NotHolderException where the lease is not held
     */
    public long requireEpoch() {
        return requireCurrent().epoch();
    }

    /**
     * The current term.
     *
     * @return the term that is held now, or empty
     */
    public Optional<Lease> current() {
        Lease lease = lease();
        return lease != null && lease.isHeld() ? Optional.of(lease) : Optional.empty();
    }

    /**
     * The state of whatever term is current at each call. Where work may outlive its term in this process, use {@link
     * Lease#state()}, which refuses once that one term has ended.
     *
     * @return the state
     * @throws IllegalStateException when the lease was made without a state store
     */
    public LeaderState state() {
        if (stateStore == null) {
            throw new IllegalStateException("Lease " + settings.name() + " has no state store");
        }
        return currentState;
    }

    /**
     * How this process stands. Costs no I/O.
     *
     * @return a snapshot
     */
    public LeaseStatus status() {
        LeaseRunner now = runner;
        return now == null
                ? LeaseStatus.notStarted(firstHolder)
                : now.election().status();
    }

    /**
     * What has happened since this object was made. Costs no I/O.
     *
     * @return a snapshot
     */
    public LeaseCounts counts() {
        return counters.counts();
    }

    /**
     * The settings.
     *
     * @return the settings that this lease was made with
     */
    public LeaseSettings settings() {
        return settings;
    }

    /**
     * Stops contending. Where the lease is held it surrenders, waits for the listeners, at most until the deadline, and
     * releases the lease if they have stopped. A lease store that hangs is waited for a renew interval longer. Called
     * from a listener it does not wait. An interrupt ends the wait, not the closing; the thread's flag stays set. Does
     * nothing where it does not contend.
     */
    @Override
    public void close() {
        LeaseRunner now = runner;
        if (now == null) {
            return;
        }
        now.election().close();
        if (!listeners.isCalling() && !now.awaitFinish()) {
            LOG.warn(
                    "Lease {}: not closed yet, the lease store or a listener has not returned; the lease is {}",
                    settings.name(),
                    now.election().lease() == null ? "not held" : "left to run out");
        }
    }

    private void requireNotStarted(String what) {
        if (isStarted()) {
            throw new IllegalStateException("Lease " + settings.name() + " is started; add " + what + " before");
        }
    }

    private boolean isStarted() {
        LeaseRunner now = runner;
        return now != null && !now.election().isClosing();
    }

    private @Nullable Lease lease() {
        LeaseRunner now = runner;
        return now == null ? null : now.election().lease();
    }

    private Lease requireCurrent() {
        return current()
                .orElseThrow(() -> new NotHolderException("Lease " + settings.name() + " is not held by this process"));
    }
}
