package io.leasehold.kubernetes;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where and how the API server is asked.
 *
 * @param namespace the namespace of the objects; null for the one of the client, which in a pod is the pod's own
 * @param timeout how long the API server may take to answer; a call whose connection is slow too ends after twice that at
 *     the latest. At most half the renew interval, and at least 10 ms
 */
public record KubernetesStoreOptions(@Nullable String namespace, Duration timeout) {

    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofSeconds(10);

    /** The client's own namespace; two seconds. */
    public static final KubernetesStoreOptions DEFAULTS = new KubernetesStoreOptions(null, Duration.ofSeconds(2));

    /**
     * Options that are within their bounds.
     *
     * @param namespace the namespace of the objects, or null
     * @param timeout how long the API server may take to answer
     * @throws IllegalArgumentException when the time-out is too short or too long
     */
    public KubernetesStoreOptions {
        if (timeout.compareTo(SHORTEST) < 0 || timeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The time-out of a call to the API server is " + timeout
                    + "; it has to be from " + SHORTEST + " to " + LONGEST);
        }
    }
}
