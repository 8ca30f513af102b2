package io.leasehold.memory;

import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateRecord;
import org.jspecify.annotations.Nullable;

/**
 * The state in memory, fenced by epoch, shared by the contenders that are given the same object. Nothing of it outlives the
 * process. Safe for use by several threads.
 */
public final class MemoryStateStore extends ConditionalStateStore {
    private @Nullable StateRecord current;

    /** A state without entries that no epoch has opened. */
    public MemoryStateStore() {}

    @Override
    protected synchronized @Nullable StateRecord read() {
        return current;
    }

    @Override
    protected synchronized boolean write(@Nullable StateRecord expected, StateRecord next) {
        StateRecord now = current;
        boolean asExpected = now == null ? expected == null : expected != null && now.sameWrite(expected);
        if (asExpected) {
            current = next;
        }
        return asExpected;
    }

    @Override
    public String location() {
        return "memory";
    }
}
