package io.leasehold;

import io.leasehold.state.StateStoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Endless work that goes on while a term lasts: each item is numbered in the state, and noted when it was committed. Shared by
 * the contenders of one lease, and safe for use by several threads.
 */
final class Backlog implements LeaseListener {
    private final List<Long> epochs = new ArrayList<>();
    private long lastDone;
    private @Nullable AssertionError failure;
    private CompletableFuture<Void> working = CompletableFuture.completedFuture(null);

    @Override
    public synchronized void onAcquired(Lease lease) {
        working = CompletableFuture.runAsync(() -> work(lease));
    }

    @Override
    public void onSurrendered(Lease lease, SurrenderReason reason) {
        CompletableFuture<Void> ending;
        synchronized (this) {
            ending = working;
        }
        ending.join();
    }

    private void work(Lease lease) {
        long next = Long.parseLong(lease.state().get("orders").orElse("0"));
        while (lease.isHeld()) {
            next++;
            try {
                lease.state().commit("orders", Long.toString(next));
                done(lease.epoch(), next);
            } catch (StateStoreException | NotHolderException e) {
                // The outcome is unknown: this number is never used again.
            }
        }
    }

    private synchronized void done(long epoch, long number) {
        if (number <= lastDone) {
            failure = new AssertionError("item " + number + " done again in epoch " + epoch);
        }
        lastDone = number;
        epochs.add(epoch);
    }

    synchronized long lastDone() {
        return lastDone;
    }

    /** The epoch of each item that was done, in their order. */
    synchronized List<Long> epochs() {
        return List.copyOf(epochs);
    }

    /** An item that was done twice; null where there is none. */
    synchronized @Nullable AssertionError failure() {
        return failure;
    }
}
