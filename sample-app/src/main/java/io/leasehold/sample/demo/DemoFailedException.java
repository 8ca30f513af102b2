package io.leasehold.sample.demo;

import org.jspecify.annotations.Nullable;

/** The demo could not be carried out; says nothing about the lease. */
final class DemoFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DemoFailedException(String message) {
        this(message, null);
    }

    DemoFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
