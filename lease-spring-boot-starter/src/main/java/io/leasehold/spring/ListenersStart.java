package io.leasehold.spring;

import io.leasehold.Lease;
import io.leasehold.LeaseSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.backoff.BackOffExecution;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Starts the containers for one term, all at once. One that fails is stopped and tried again after a pause, which begins at
 * the verify delay and doubles up to the ttl. Used by one thread.
 */
final class ListenersStart {
    private static final Logger LOG = LoggerFactory.getLogger(ListenersStart.class);
    private static final long LOOK_AGAIN_MS = 5;

    private final Lease term;
    private final BooleanSupplier wanted;
    private final int attempts;
    private final Duration longest;
    private final BackOffExecution pauses;
    private final Consumer<String> onFailure;

    /**
     * @param wanted whether a container whose turn has come is still to be started
     * @param attempts after how many failures of one container the term is given up
     * @param onFailure told of each failed attempt
     */
    ListenersStart(
            Lease term, LeaseSettings settings, BooleanSupplier wanted, int attempts, Consumer<String> onFailure) {
        this.term = term;
        this.wanted = wanted;
        this.attempts = attempts;
        this.longest = settings.ttl();
        this.onFailure = onFailure;
        ExponentialBackOff backOff =
                new ExponentialBackOff(settings.verifyDelay().toMillis(), 2);
        backOff.setMaxInterval(longest.toMillis());
        this.pauses = backOff.start();
    }

    /**
     * Returns when all have started, or as soon as the surrender has begun: it waits for this thread.
     *
     * @return false where the surrender began first
     * @throws IllegalStateException when one failed in every attempt, or did not return within a ttl
     */
    boolean start(Collection<FollowedContainer> containers) {
        Map<FollowedContainer, CompletableFuture<Void>> starts = begin(containers);
        for (int attempt = 1; ; attempt++) {
            if (!awaitReturns(starts)) {
                return false;
            }
            starts.values().removeIf(start -> !start.isCompletedExceptionally());
            if (starts.isEmpty()) {
                return true;
            }
            failed(starts, attempt);
            starts.keySet().forEach(FollowedContainer::stop);
            if (!pause(pauses.nextBackOff())) {
                return false;
            }
            starts = begin(starts.keySet());
        }
    }

    private Map<FollowedContainer, CompletableFuture<Void>> begin(Collection<FollowedContainer> containers) {
        Map<FollowedContainer, CompletableFuture<Void>> starts = new LinkedHashMap<>();
        containers.forEach(container -> starts.put(container, container.start(wanted)));
        return starts;
    }

    private void failed(Map<FollowedContainer, CompletableFuture<Void>> starts, int attempt) {
        Throwable cause = causeOf(starts.values().iterator().next());
        String failure = "Listeners could not be started: " + names(starts.keySet()) + ", attempt " + attempt + " of "
                + attempts;
        onFailure.accept(failure + ": " + cause);
        if (attempt == attempts) {
            throw new IllegalStateException(failure, cause);
        }
        if (attempt == 1) {
            LOG.warn("{}: {}; trying again", term, failure, cause);
        } else {
            LOG.debug("{}: {}; trying again", term, failure, cause);
        }
    }

    /** Whether all have returned, well or not, before the surrender began. */
    private boolean awaitReturns(Map<FollowedContainer, CompletableFuture<Void>> starts) {
        CompletableFuture<?>[] returns = starts.values().stream()
                .map(start -> start.handle((done, failure) -> null))
                .toArray(CompletableFuture<?>[]::new);
        if (await(CompletableFuture.allOf(returns), longest)) {
            return true;
        }
        if (term.isSurrendering()) {
            return false;
        }
        starts.values().removeIf(CompletableFuture::isDone);
        String failure = "Listeners did not start within a ttl: " + names(starts.keySet());
        onFailure.accept(failure);
        throw new IllegalStateException(failure);
    }

    /** Whether the surrender had not begun when the pause was over. */
    private boolean pause(long ms) {
        await(new CompletableFuture<>(), Duration.ofMillis(ms));
        return !term.isSurrendering();
    }

    /** Waits, but not beyond the moment when the surrender begins. */
    private boolean await(CompletableFuture<?> done, Duration limit) {
        long begunNs = System.nanoTime();
        while (!term.isSurrendering() && System.nanoTime() - begunNs < limit.toNanos()) {
            try {
                done.get(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                LOG.trace("{}: listeners are still starting", term);
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while listeners were starting", e);
            }
        }
        return false;
    }

    private static Throwable causeOf(CompletableFuture<Void> failed) {
        Throwable failure = failed.handle((done, thrown) -> thrown).join();
        Throwable cause = failure.getCause();
        return cause == null ? failure : cause;
    }

    private static List<String> names(Collection<FollowedContainer> containers) {
        return containers.stream().map(FollowedContainer::name).sorted().toList();
    }
}
