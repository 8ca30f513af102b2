package io.leasehold.state;

import org.jspecify.annotations.Nullable;

/** One look and one conditional write of a store on their own, without what is made of them. */
public final class StateWrites {
    private StateWrites() {}

    public static @Nullable StateRecord read(ConditionalStateStore store) {
        return store.read();
    }

    public static boolean write(ConditionalStateStore store, @Nullable StateRecord expected, StateRecord next) {
        return store.write(expected, next);
    }
}
