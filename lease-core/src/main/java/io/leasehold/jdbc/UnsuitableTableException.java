package io.leasehold.jdbc;

import org.jspecify.annotations.Nullable;

/** A table cannot hold the lease or its state until a person changes something in the database. */
public class UnsuitableTableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The lease or the state, with its place. */
    private final String place;

    /** What to do. */
    private final String action;

    /**
     * A finding.
     *
     * @param place the lease or the state, with its place
     * @param action what was found and what to do
     * @param cause the database's answer
     */
    public UnsuitableTableException(String place, String action, @Nullable Throwable cause) {
        super("The table cannot be used for " + place + ". " + action, cause);
        this.place = place;
        this.action = action;
    }

    /**
     * The lease or the state that the table is for.
     *
     * @return what it is, with its place
     */
    public String place() {
        return place;
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
