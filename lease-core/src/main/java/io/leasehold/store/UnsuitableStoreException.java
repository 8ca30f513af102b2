package io.leasehold.store;

import org.jspecify.annotations.Nullable;

/**
 * A store that cannot hold a lease or its state until a person changes something: a directory, a table, a permission. The
 * message names the place, what was found, and what to do.
 */
public class UnsuitableStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What was found. */
    private final String problem;

    /** What to do. */
    private final String action;

    /**
     * A refusal.
     *
     * @param problem what was found, as a sentence that names the place
     * @param action what to do, as one or more sentences
     * @param cause what failed below, or null
     */
    public UnsuitableStoreException(String problem, String action, @Nullable Throwable cause) {
        super(problem + " " + action, cause);
        this.problem = problem;
        this.action = action;
    }

    /**
     * What was found.
     *
     * @return a sentence that names the place
     */
    public String problem() {
        return problem;
    }

    /**
     * What to do.
     *
     * @return one or more sentences
     */
    public String action() {
        return action;
    }
}
