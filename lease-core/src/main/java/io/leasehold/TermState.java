package io.leasehold;

import io.leasehold.LeaseCounts.CommitOutcome;
import io.leasehold.LeaseObserver.Observed;
import io.leasehold.LeaseObserver.Scope;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The state of one term. Commits that wait at the same time share one write, on a worker: a caller never hangs in the store
 * for longer than its term lasts and a moment more, and an interrupt never hits a file that is being written.
 */
final class TermState implements LeaderState {
    private record Commit(Map<String, String> entries, Set<String> removals, CompletableFuture<Void> done) {}

    private final Lease lease;
    private final StateSession session;
    private final LeaseCounters counters;
    private final Observers observers;
    private final Executor workers;
    private final Consumer<StateFenceException> onFenced;
    private final Deque<Commit> waiting = new ArrayDeque<>();
    private boolean writing;
    private volatile Map<String, String> acknowledged;

    TermState(
            Lease lease,
            StateSession session,
            LeaseCounters counters,
            Observers observers,
            Executor workers,
            Consumer<StateFenceException> onFenced) {
        this.lease = lease;
        this.session = session;
        this.counters = counters;
        this.observers = observers;
        this.workers = workers;
        this.onFenced = onFenced;
        this.acknowledged = session.entries();
    }

    @Override
    public Optional<String> get(String key) {
        return Optional.ofNullable(entries().get(key));
    }

    @Override
    public Map<String, String> entries() {
        requireHeld("read its state");
        return acknowledged;
    }

    @Override
    public long epoch() {
        return lease.epoch();
    }

    @Override
    public void commit(Map<String, String> entries, Set<String> removals) {
        Commit commit = new Commit(Map.copyOf(entries), Set.copyOf(removals), new CompletableFuture<>());
        requireText(commit);
        requireHeld("commit");
        boolean first;
        synchronized (waiting) {
            waiting.add(commit);
            first = !writing;
            writing = true;
        }
        if (first) {
            workers.execute(this::writeAll);
        }
        await(commit);
    }

    private void await(Commit commit) {
        try {
            while (!hasReturned(commit, Math.max(1, lease.untilDeadlineNs()))) {
                if (!lease.isHeld()) {
                    withdraw(commit);
                    awaitOutcome(commit);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StateStoreException(lease + ": interrupted while committing; the outcome is unknown", e);
        } catch (ExecutionException e) {
            throw failure(Objects.requireNonNull(e.getCause()));
        }
    }

    private static boolean hasReturned(Commit commit, long waitNs) throws InterruptedException, ExecutionException {
        try {
            commit.done.get(waitNs, TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** A commit that nobody has begun to write when the term ends is withdrawn. */
    private void withdraw(Commit commit) {
        synchronized (waiting) {
            if (waiting.remove(commit)) {
                throw notHeld("commit");
            }
        }
    }

    /** A process that was frozen in the middle of a write, and wakes up after its term, is about to meet the fence. */
    private void awaitOutcome(Commit commit) throws InterruptedException, ExecutionException {
        if (!hasReturned(commit, lease.graceNs())) {
            throw new StateStoreException(
                    lease + ": the term ended while a commit was being written; the outcome is unknown");
        }
    }

    private RuntimeException failure(Throwable cause) {
        if (cause instanceof StateFenceException fence) {
            return fence;
        }
        if (cause instanceof NotHolderException notHolder) {
            return notHolder;
        }
        return new StateStoreException(
                lease + ": a commit failed; its outcome is unknown. " + cause.getMessage(), cause);
    }

    private void writeAll() {
        for (; ; ) {
            List<Commit> batch;
            synchronized (waiting) {
                if (waiting.isEmpty()) {
                    writing = false;
                    return;
                }
                batch = new ArrayList<>(waiting);
                waiting.clear();
            }
            try {
                write(batch);
                batch.forEach(commit -> commit.done.complete(null));
            } catch (RuntimeException | Error e) {
                batch.forEach(commit -> commit.done.completeExceptionally(e));
            }
        }
    }

    private void write(List<Commit> batch) {
        requireHeld("commit");
        Map<String, String> next = new HashMap<>(acknowledged);
        for (Commit commit : batch) {
            commit.removals.forEach(next::remove);
            next.putAll(commit.entries);
        }
        CommitOutcome outcome = CommitOutcome.UNKNOWN;
        try {
            observe(next);
            acknowledged = Collections.unmodifiableMap(next);
            outcome = CommitOutcome.ACKNOWLEDGED;
        } catch (StateFenceException e) {
            outcome = CommitOutcome.FENCED;
            onFenced.accept(e);
            throw e;
        } finally {
            counters.committed(outcome, batch.size());
        }
    }

    private void observe(Map<String, String> next) {
        Observed observation = observers.begin(LeaseOperation.COMMIT, lease);
        Scope scope = observation.enter();
        LeaseOutcome outcome = LeaseOutcome.FAILED;
        Throwable failure = null;
        try {
            session.write(next);
            outcome = LeaseOutcome.ACKNOWLEDGED;
        } catch (RuntimeException | Error e) {
            outcome = e instanceof StateFenceException ? LeaseOutcome.FENCED : LeaseOutcome.FAILED;
            failure = e;
            throw e;
        } finally {
            scope.close();
            observation.end(outcome, failure);
        }
    }

    private void requireHeld(String what) {
        if (!lease.isHeld()) {
            throw notHeld(what);
        }
    }

    private NotHolderException notHeld(String what) {
        return new NotHolderException(lease + ": cannot " + what + ", its term is over");
    }

    private static void requireText(Commit commit) {
        for (String key : commit.removals) {
            if (commit.entries.containsKey(key)) {
                throw new IllegalArgumentException("An entry cannot be set and removed in one commit");
            }
        }
        commit.entries.forEach((key, value) -> {
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(key)
                    || !StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
                throw new IllegalArgumentException("A key or value holds an unpaired surrogate and has no UTF-8 form");
            }
        });
    }
}
