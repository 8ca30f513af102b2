package io.leasehold.file;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A directory whose marker says that it is not the one meant, or says nothing that can be understood. */
final class MarkerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String action;

    MarkerException(String problem, String action, @Nullable Throwable cause) {
        super(problem + ". " + action, cause);
        this.action = action;
    }

    String action() {
        return action;
    }
}
