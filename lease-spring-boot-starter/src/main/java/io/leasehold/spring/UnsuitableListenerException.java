package io.leasehold.spring;

/** A listener or a method that cannot follow the lease. The message names it, what is wrong, and what to do. */
public class UnsuitableListenerException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** What is wrong. */
    private final String problem;

    /** What to do. */
    private final String action;

    /**
     * A refusal.
     *
     * @param problem what is wrong, a sentence that names the listener or the method
     * @param action what to do, a sentence
     */
    public UnsuitableListenerException(String problem, String action) {
        super(problem + " " + action);
        this.problem = problem;
        this.action = action;
    }

    /**
     * What is wrong.
     *
     * @return a sentence that names the listener or the method
     */
    public String problem() {
        return problem;
    }

    /**
     * What to do.
     *
     * @return a sentence
     */
    public String action() {
        return action;
    }
}
