package io.leasehold.spring.test;

import io.leasehold.LeaseSettings;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.LeaseStores;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.ObjectProvider;

/** The leases of an application that has several, each moved by hand. Safe for use by several threads. */
public final class TestLeases implements LeaseStores {
    private final ObjectProvider<LeaderLifecycle> lifecycles;
    private final Map<String, TestLease> leases = new ConcurrentHashMap<>();

    TestLeases(ObjectProvider<LeaderLifecycle> lifecycles) {
        this.lifecycles = lifecycles;
    }

    /**
     * One of the leases.
     *
     * @param name its name
     * @return the same object for the same name
     * @throws IllegalArgumentException when the application has no lease of that name
     */
    public TestLease lease(String name) {
        TestLease lease = leases.get(name);
        if (lease == null) {
            throw new IllegalArgumentException(
                    "The application has no lease '" + name + "', only " + new TreeSet<>(leases.keySet()));
        }
        return lease;
    }

    /** That of an application which has a single one, whatever its name. */
    TestLease only() {
        return leases.computeIfAbsent("", unused -> new TestLease(lifecycles::getObject));
    }

    /** Takes all leases away, and waits until no listener runs. */
    void revokeAll() {
        leases.values().forEach(TestLease::revoke);
    }

    @Override
    public LeaseStore leaseStore(LeaseSettings settings) {
        return made(settings.name()).leaseStore();
    }

    @Override
    public Optional<StateStore> stateStore(LeaseSettings settings) {
        return Optional.of(made(settings.name()).stateStore());
    }

    private TestLease made(String name) {
        return leases.computeIfAbsent(name, unused -> new TestLease(() -> lifecycle(name)));
    }

    private LeaderLifecycle lifecycle(String name) {
        return lifecycles.stream()
                .filter(each -> each.lease().settings().name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
