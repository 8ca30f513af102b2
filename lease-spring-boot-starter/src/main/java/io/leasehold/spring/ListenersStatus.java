package io.leasehold.spring;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the listener containers that follow a lease stand at one moment. Immutable.
 *
 * @param stage what they are doing
 * @param since for how long
 * @param running the names of those that run
 * @param stopped the names of those that do not
 * @param inFlight how many messages are being handled, and how many calls of {@link LeaderOnly} methods are made
 * @param startFailure why containers could not be started at the last attempt; null once all have started, and when a term begins
 */
public record ListenersStatus(
        ListenersStage stage,
        Duration since,
        List<String> running,
        List<String> stopped,
        int inFlight,
        @Nullable String startFailure) {}
