package io.leasehold.redis;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Says what was found where an answer did not come, or was an error. */
final class RedisFailures {
    private RedisFailures() {}

    static RedisFailure describe(Throwable failure, Duration timeout) {
        Throwable cause =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException) {
            return new RedisFailure("no answer came within " + timeout, cause);
        }
        StringBuilder found = new StringBuilder();
        for (Throwable at = cause; at != null; at = at.getCause()) {
            String message = String.valueOf(at.getMessage());
            if (found.indexOf(message) < 0) {
                found.append(found.isEmpty() ? "" : ": ").append(message);
            }
        }
        String text = found.toString();
        return new RedisFailure(text, RedisRefusal.in(text).orElse(null), cause);
    }
}
