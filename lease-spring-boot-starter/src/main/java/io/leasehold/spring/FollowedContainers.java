package io.leasehold.spring;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** All that follows one lease, found again and again. Safe for use by several threads. */
final class FollowedContainers {
    private final ListenerFinder finder;
    private final Map<String, FollowedContainer> containers = new ConcurrentHashMap<>();

    FollowedContainers(ListenerFinder finder) {
        this.finder = finder;
    }

    /**
     * Looks for what is new, and holds everything back.
     *
     * @throws RuntimeException the first failure, after everything else has been held back
     */
    void discover() {
        RuntimeException failure = attempt(
                () -> finder.find()
                        .forEach((name, container) -> containers.computeIfAbsent(
                                name, unused -> new FollowedContainer(container, FollowerThreads.SHARED))),
                null);
        for (FollowedContainer container : containers.values()) {
            failure = attempt(container::holdBack, failure);
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** One that fails does not keep the others from being held back. */
    private static @Nullable RuntimeException attempt(Runnable action, @Nullable RuntimeException before) {
        try {
            action.run();
            return before;
        } catch (RuntimeException e) {
            if (before == null) {
                return e;
            }
            before.addSuppressed(e);
            return before;
        }
    }

    /**
     * Checks what was found before the context starts it.
     *
     * @throws UnsuitableListenerException when a name matches nothing, or something would start by itself
     */
    void requireSuitable(String lease, List<String> names) {
        for (String name : names) {
            if (!containers.containsKey(name)) {
                throw new UnsuitableListenerException(
                        "Lease " + lease + " is to have the listener '" + name
                                + "', which is neither a listener's id nor the name of a lifecycle bean. Listener"
                                + " containers found: "
                                + finder.findContainers().keySet() + ".",
                        "Correct the name in the property listeners of the lease, or give the listener that id.");
            }
        }
        for (FollowedContainer container : containers.values()) {
            if (container.startsByItself()) {
                throw new UnsuitableListenerException(
                        "'" + container.name() + "' is to follow the lease, but starts by itself.",
                        "Let its isAutoStartup() return false, or take it out of the property listeners of the lease.");
            }
        }
    }

    Collection<FollowedContainer> all() {
        return containers.values();
    }

    void stopAll() {
        containers.values().forEach(FollowedContainer::stop);
    }

    List<FollowedContainer> running() {
        return containers.values().stream().filter(FollowedContainer::isRunning).toList();
    }

    int inFlight() {
        return containers.values().stream()
                .mapToInt(FollowedContainer::inFlight)
                .sum();
    }

    List<String> names(Predicate<FollowedContainer> chosen) {
        return containers.values().stream()
                .filter(chosen)
                .map(FollowedContainer::name)
                .sorted()
                .toList();
    }
}
