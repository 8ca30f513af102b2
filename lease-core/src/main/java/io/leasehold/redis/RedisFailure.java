package io.leasehold.redis;

import io.leasehold.store.UnsuitableStoreException;
import org.jspecify.annotations.Nullable;

/** It is not known what the server did. The message says what was found and what to do. */
final class RedisFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String found;
    private final @Nullable RedisRefusal refusal;

    RedisFailure(String found, @Nullable Throwable cause) {
        this(found, null, cause);
    }

    RedisFailure(String found, @Nullable RedisRefusal refusal, @Nullable Throwable cause) {
        super(refusal == null ? found : found + ". " + refusal.advice(), cause);
        this.found = found;
        this.refusal = refusal;
    }

    /** Tells failures apart that only a person can mend. */
    void requireSuitable(String what) {
        if (refusal != null && refusal.needsAPerson()) {
            throw new UnsuitableStoreException(what + " cannot be used: " + found + ".", refusal.advice(), this);
        }
    }
}
