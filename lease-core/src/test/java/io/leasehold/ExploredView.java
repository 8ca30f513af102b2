package io.leasehold;

import io.leasehold.file.FileRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of a process that is paused.
 *
 * @param heldEpoch the epoch whose lease it finds held, if it looks now; 0 for none
 * @param termEpoch the epoch of its term, held or not; 0 for none
 * @param longestTtl the longest ttl that it knows of
 * @param request what its step or commit waits for; null where it is in the middle of neither
 * @param atOnce whether a pause before that request makes no difference to anybody
 * @param mayStep whether a step is due
 * @param mayCommit whether its work can begin a commit
 * @param mayStop whether its work was told to stop, and commits nothing
 * @param mayStepDown whether it holds the lease and does not surrender it
 * @param mayGuard whether the timer has something to apply while a step or a commit hangs
 */
record ExploredView(
        long heldEpoch,
        long termEpoch,
        Duration longestTtl,
        @Nullable FileRequest request,
        boolean atOnce,
        boolean mayStep,
        boolean mayCommit,
        boolean mayStop,
        boolean mayStepDown,
        boolean mayGuard) {}
