package io.leasehold.file;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory that cannot hold the lease or the state until a person changes something. The message names the path, what
 * was found, and what to do.
 */
public class UnsuitableDirectoryException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** What was found. */
    private final String problem;

    /** What to do. */
    private final String action;

    /**
     * A refusal.
     *
     * @param directory the directory
     * @param problem what was found
     * @param action what to do
     * @param cause what failed below, or null
     */
    public UnsuitableDirectoryException(Path directory, String problem, String action, @Nullable Throwable cause) {
        super(directory + " " + problem + ". " + action, cause);
        this.problem = directory + " " + problem + ".";
        this.action = action;
    }

    /**
     * What was found.
     *
     * @return a sentence that names the directory
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
