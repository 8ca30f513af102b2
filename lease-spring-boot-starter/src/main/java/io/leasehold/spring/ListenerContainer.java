package io.leasehold.spring;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A listener container, or something like it, that can follow the lease: the one thing that each technology adapts. */
interface ListenerContainer {

    /** The listener's id or the bean's name. */
    String name();

    /**
     * Keeps the container from starting by itself and puts the guard in front of its listener, where it can. Called again
     * and again; does nothing where it was done.
     */
    void holdBack();

    /** Whether the context would start it all the same. */
    boolean startsByItself();

    boolean isRunning();

    /** Starts it; an exception means that it may or may not be running. */
    void start();

    /**
     * Stops it; may return before or after it has stopped.
     *
     * @param whenStopped called when it has stopped, on any thread and under any lock; may never be called
     */
    void stop(Runnable whenStopped);

    /** How many messages, or consumers that may have one, are at work. */
    int inFlight();

    /** Whether the status names it; not where it has no listener, and so nothing to tell. */
    default boolean isListed() {
        return true;
    }

    /** Returns when nothing is at work in it, or when somebody has started it again. */
    default void awaitQuiet() {
        while (!isRunning() && inFlight() > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }
}
