package io.leasehold.spring.autoconfigure;

import org.jspecify.annotations.Nullable;

/** A property that is missing or cannot be used. The message names it, what is wrong, and what to do. */
final class LeaseConfigurationException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    private final String problem;

    /** What to do. */
    private final String action;

    LeaseConfigurationException(String problem, String action) {
        this(problem, action, null);
    }

    LeaseConfigurationException(String problem, String action, @Nullable Exception cause) {
        super(Printable.of(problem) + " " + action, cause);
        this.problem = Printable.of(problem);
        this.action = action;
    }

    String problem() {
        return problem;
    }

    String action() {
        return action;
    }
}
