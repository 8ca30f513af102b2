package io.leasehold.store;

import org.jspecify.annotations.Nullable;

/**
 * The lease could not be read, or the outcome of a write is not known. It never means that the lease is free.
 *
 * <p>The message names the file or address, what was found, and what to do where something can be done.
 */
public class LeaseStoreException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * A failure that nothing else caused.
     *
     * @param message what was tried, where, and what was found
     */
    public LeaseStoreException(String message) {
        super(message);
    }

    /**
     * A failure with a cause.
     *
     * @param message what was tried, where, and what was found
     * @param cause what failed below
     */
    public LeaseStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
