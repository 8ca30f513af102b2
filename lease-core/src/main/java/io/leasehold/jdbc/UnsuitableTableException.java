package io.leasehold.jdbc;

import org.jspecify.annotations.Nullable;

/** A table cannot hold the lease or its state until a person changes something in the database. */
public class UnsuitableTableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What to do. */
    private final String action;

    /**
     * A finding.
     *
     * @param what the lease or the state, with its place
     * @param action what was found and what to do
     * @param cause the database's answer
     */
    public UnsuitableTableException(String what, String action, @Nullable Throwable cause) {
        super("The table cannot be used for " + what + ". " + action, cause);
        this.action = action;
    }

    /**
     * What was found and what to do.
     *
     * @return one or more sentences
     */
    public String action() {
        return action;
    }
}
