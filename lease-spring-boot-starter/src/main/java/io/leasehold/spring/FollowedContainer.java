package io.leasehold.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops one container, one after the other and never on the caller's thread: a start waits until the stop before
 * it has ended. Safe for use by several threads.
 */
final class FollowedContainer {
    private static final Logger LOG = LoggerFactory.getLogger(FollowedContainer.class);

    private final ListenerContainer container;
    private final Executor workers;
    private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> stopUnderWay = CompletableFuture.completedFuture(null);
    private boolean stopping;

    FollowedContainer(ListenerContainer container, Executor workers) {
        this.container = container;
        this.workers = workers;
    }

    String name() {
        return container.name();
    }

    void holdBack() {
        // Several threads look, each for a reason of its own.
        synchronized (container) {
            container.holdBack();
        }
    }

    boolean startsByItself() {
        return container.startsByItself();
    }

    boolean isRunning() {
        return container.isRunning();
    }

    boolean isListed() {
        return container.isListed();
    }

    int inFlight() {
        return container.inFlight();
    }

    /** Starts it when its turn comes, if that is still wanted then. */
    synchronized CompletableFuture<Void> start(BooleanSupplier wanted) {
        stopping = false;
        last = then(() -> {
            if (wanted.getAsBoolean() && !container.isRunning()) {
                container.start();
            }
            return CompletableFuture.completedFuture(null);
        });
        return last;
    }

    /** Stops it when its turn comes; joins a stop that is under way. */
    synchronized void stop() {
        if (stopping && !last.isDone()) {
            if (stopUnderWay.isDone() || !container.isRunning()) {
                return;
            }
            // Somebody else has started it since, and the callback of that stop may never come.
            stopUnderWay.complete(null);
        }
        stopping = true;
        last = then(this::stopNow);
    }

    /** Whether it has stopped and nothing is at work in it. */
    synchronized boolean isQuiet() {
        return last.isDone() && !container.isRunning() && container.inFlight() == 0;
    }

    private CompletableFuture<Void> stopNow() {
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        // Not every container calls back when it had stopped already.
        if (!container.isRunning()) {
            stopped.complete(null);
            return stopped;
        }
        synchronized (this) {
            stopUnderWay = stopped;
        }
        try {
            container.stop(() -> stopped.complete(null));
        } catch (RuntimeException e) {
            LOG.warn("Listener {} could not be stopped, and is tried again", container.name(), e);
            stopped.complete(null);
        }
        return stopped;
    }

    private CompletableFuture<Void> then(Supplier<CompletionStage<Void>> next) {
        return last.handle((done, failure) -> null).thenComposeAsync(ignored -> next.get(), workers);
    }
}
