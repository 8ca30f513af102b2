package io.leasehold.spring;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** All that follows one lease, found again and again. Safe for use by several threads. */
final class FollowedContainers {
    private final ListenerFinder finder;
    private final Map<String, FollowedContainer> containers = new ConcurrentHashMap<>();

    FollowedContainers(ListenerFinder finder) {
        this.finder = finder;
    }

    /** Looks for what is new, and holds everything back. */
    void discover() {
        finder.find()
                .forEach((name, container) -> containers.computeIfAbsent(
                        name, unused -> new FollowedContainer(container, FollowerThreads.SHARED)));
        containers.values().forEach(FollowedContainer::holdBack);
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

    void stopRunning() {
        containers.values().stream().filter(FollowedContainer::isRunning).forEach(FollowedContainer::stop);
    }

    boolean areQuiet() {
        return containers.values().stream().allMatch(FollowedContainer::isQuiet);
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
