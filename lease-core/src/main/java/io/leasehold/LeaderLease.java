package io.leasehold;

import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Contends for a lease. */
@SuppressWarnings("DoNotCallSuggester")
public final class LeaderLease implements AutoCloseable {
    private final LeaseSettings settings;

    /**
     * A lease that does not contend yet.
     *
     * @param settings the settings
     * @param leaseStore what the lease is kept in
     * @param stateStore what the state is kept in; null for a lease without state
     */
    public LeaderLease(LeaseSettings settings, LeaseStore leaseStore, @Nullable StateStore stateStore) {
        this.settings = settings;
    }

    /**
     * Adds a listener. Allowed until the lease is started.
     *
     * @param listener the listener
     * @throws IllegalStateException when the lease is started
     */
    public void addListener(LeaseListener listener) {
        throw new UnsupportedOperationException();
    }

    /** Begins to contend, with a new holder id. Does nothing where it contends already. Allowed again after a close. */
    public void start() {
        throw new UnsupportedOperationException();
    }

    /** Begins to give the lease up, if it is held, and returns at once; contends again after a ttl, or when another has led. */
    public void stepDown() {
        throw new UnsupportedOperationException();
    }

    /**
     * Whether this process holds the lease.
     *
     * @return true until the deadline
     */
    public boolean isHeld() {
        throw new UnsupportedOperationException();
    }

    /**
     * The epoch, where the lease is held.
     *
     * @return the epoch
     * @throws NotHolderException where it is not held
     */
    public long requireEpoch() {
        throw new UnsupportedOperationException();
    }

    /**
     * The current term.
     *
     * @return the term that is held now
     */
    public Optional<Lease> current() {
        throw new UnsupportedOperationException();
    }

    /**
     * The state of whatever term is current at each call.
     *
     * @return the state
     * @throws IllegalStateException when the lease was made without a state store
     */
    public LeaderState state() {
        throw new UnsupportedOperationException();
    }

    /**
     * How it stands.
     *
     * @return a snapshot
     */
    public LeaseStatus status() {
        throw new UnsupportedOperationException();
    }

    /**
     * What has happened since this object was made.
     *
     * @return a snapshot
     */
    public LeaseCounts counts() {
        throw new UnsupportedOperationException();
    }

    /**
     * The settings.
     *
     * @return the settings
     */
    public LeaseSettings settings() {
        return settings;
    }

    /** Surrenders, waits for the listeners at most until the deadline, releases, and stops contending. */
    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
