package io.leasehold.redis;

import org.jspecify.annotations.Nullable;

/** It is not known what the server did. The message says what was found and what to do. */
final class RedisFailure extends Exception {
    private static final long serialVersionUID = 1L;

    RedisFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
