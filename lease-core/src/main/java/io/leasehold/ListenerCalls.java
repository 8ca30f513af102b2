package io.leasehold;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the listeners: each on its own chain, one call at a time, in strict pairs. Nothing here blocks the caller. Safe for
 * use by several threads.
 */
final class ListenerCalls {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerCalls.class);

    private final List<Chain> chains = new CopyOnWriteArrayList<>();
    private final ThreadLocal<Boolean> calling = ThreadLocal.withInitial(() -> false);

    void add(LeaseListener listener) {
        chains.add(new Chain(listener));
    }

    /** Tells every listener of a new term; the term surrenders when one throws. */
    void acquired(TermStart start, Executor workers) {
        CompletableFuture<?>[] calls =
                chains.stream().map(chain -> chain.acquired(start, workers)).toArray(CompletableFuture<?>[]::new);
        CompletableFuture<Void> unused = CompletableFuture.allOf(calls).thenRun(start::end);
    }

    /** Tells every listener that was told of the term that it ends; runs the callback each time one has returned. */
    void surrendered(Lease lease, SurrenderReason reason, Executor workers, Runnable onReturn) {
        chains.forEach(chain -> chain.surrendered(lease, reason, workers, onReturn));
    }

    /** Whether the work of every listener has stopped: it returned normally from the surrender, or was never told. */
    boolean haveStopped() {
        return chains.stream().allMatch(Chain::hasStopped);
    }

    /** Whether no listener is being called or has a call to come. */
    boolean areIdle() {
        return chains.stream().allMatch(Chain::isIdle);
    }

    /** Whether this thread is inside a listener. */
    boolean isCalling() {
        return calling.get();
    }

    private final class Chain {
        private final LeaseListener listener;
        private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
        private int pending;
        private @Nullable Lease workingFor;

        Chain(LeaseListener listener) {
            this.listener = listener;
        }

        CompletableFuture<Void> acquired(TermStart start, Executor workers) {
            Lease lease = start.lease();
            return append(workers, () -> {
                try {
                    if (!lease.isSurrendering()) {
                        setWorkingFor(lease);
                        call(() -> start.call(listener));
                    }
                } catch (Throwable e) {
                    LOG.warn("{}: a listener could not begin its work", lease, e);
                    start.failed(e);
                } finally {
                    returned();
                }
            });
        }

        void surrendered(Lease lease, SurrenderReason reason, Executor workers, Runnable onReturn) {
            CompletableFuture<Void> unused = append(workers, () -> {
                try {
                    if (isWorkingFor(lease)) {
                        call(() -> listener.onSurrendered(lease, reason));
                        setWorkingFor(null);
                    }
                } catch (Throwable e) {
                    LOG.warn("{}: a listener did not confirm that its work has stopped", lease, e);
                } finally {
                    returned();
                    onReturn.run();
                }
            });
        }

        private synchronized CompletableFuture<Void> append(Executor workers, Runnable call) {
            pending++;
            last = last.thenRunAsync(call, workers);
            return last;
        }

        private synchronized void returned() {
            pending--;
        }

        private void call(Runnable method) {
            calling.set(true);
            try {
                method.run();
            } finally {
                calling.remove();
            }
        }

        synchronized boolean hasStopped() {
            return pending == 0 && workingFor == null;
        }

        synchronized boolean isIdle() {
            return pending == 0;
        }

        private synchronized boolean isWorkingFor(Lease lease) {
            return workingFor == lease;
        }

        private synchronized void setWorkingFor(@Nullable Lease lease) {
            workingFor = lease;
        }
    }
}
