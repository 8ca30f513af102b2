package io.leasehold.state;

import org.jspecify.annotations.Nullable;

/**
 * The state could not be read, or the outcome of a commit is not known: it may or may not be part of the state that a
 * successor reads. The next commit that succeeds settles it.
 *
 * <p>The message names the file or address. It never contains keys or values.
 */
public class StateStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A failure that nothing else caused.
     *
     * @param message what was tried, where, and what was found
     */
    public StateStoreException(String message) {
        super(message);
    }

    /**
     * A failure with a cause.
     *
     * @param message what was tried, where, and what was found
     * @param cause what failed below
     */
    public StateStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
