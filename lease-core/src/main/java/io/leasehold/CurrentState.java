package io.leasehold;

import io.leasehold.state.LeaderState;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The state of whatever term is current when it is called. */
final class CurrentState implements LeaderState {
    private final Supplier<Lease> current;

    CurrentState(Supplier<Lease> current) {
        this.current = current;
    }

    @Override
    public Optional<String> get(String key) {
        return current.get().state().get(key);
    }

    @Override
    public Map<String, String> entries() {
        return current.get().state().entries();
    }

    @Override
    public void commit(Map<String, String> entries, Set<String> removals) {
        current.get().state().commit(entries, removals);
    }

    @Override
    public long epoch() {
        return current.get().epoch();
    }
}
