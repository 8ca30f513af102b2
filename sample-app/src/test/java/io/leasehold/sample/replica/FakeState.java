package io.leasehold.sample.replica;

import io.leasehold.state.LeaderState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A state in memory whose next commit can be made to fail. */
final class FakeState implements LeaderState {
    private final long epoch;
    private final Map<String, String> entries = new HashMap<>();
    private @Nullable RuntimeException nextCommit;

    FakeState(long epoch) {
        this.epoch = epoch;
    }

    void failNextCommit(RuntimeException failure) {
        nextCommit = failure;
    }

    @Override
    public Optional<String> get(String key) {
        return Optional.ofNullable(entries.get(key));
    }

    @Override
    public Map<String, String> entries() {
        return Map.copyOf(entries);
    }

    @Override
    public void commit(Map<String, String> set, Set<String> removals) {
        RuntimeException failure = nextCommit;
        nextCommit = null;
        if (failure != null) {
            throw failure;
        }
        entries.putAll(set);
        entries.keySet().removeAll(removals);
    }

    @Override
    public long epoch() {
        return epoch;
    }
}
