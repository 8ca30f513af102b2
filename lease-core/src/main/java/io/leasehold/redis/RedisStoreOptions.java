package io.leasehold.redis;

import java.time.Duration;

/**
 * How a lease and its state are kept in Redis. Immutable.
 *
 * @param keyPrefix what every key and channel begins with; no braces, which mark the part of a key that decides on its slot
 * @param timeout how long one command may take, and how long connecting may: a call that has to connect first takes up to
 *     twice as long, and three times where the server has lost the scripts, as after its restart. Below the renew
 *     interval, so that a renew can be tried again
 */
public record RedisStoreOptions(String keyPrefix, Duration timeout) {
    private static final String DEFAULT_PREFIX = "lease:";
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /**
     * Checks both.
     *
     * @param keyPrefix what every key and channel begins with
     * @param timeout how long one command may take
     * @throws IllegalArgumentException when the prefix has braces or the time-out is not positive
     */
    public RedisStoreOptions {
        if (keyPrefix.indexOf('{') >= 0 || keyPrefix.indexOf('}') >= 0) {
            throw new IllegalArgumentException("A key prefix must not have braces: the keys of a lease would be kept in"
                    + " different slots of a cluster. Found '" + keyPrefix + "'.");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("The time-out must be positive, not " + timeout + ".");
        }
    }

    /**
     * Keys that begin with {@code lease:}, and two seconds for a command.
     *
     * @return the defaults
     */
    public static RedisStoreOptions defaults() {
        return new RedisStoreOptions(DEFAULT_PREFIX, DEFAULT_TIMEOUT);
    }
}
