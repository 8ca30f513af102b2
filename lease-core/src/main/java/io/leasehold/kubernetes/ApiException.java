package io.leasehold.kubernetes;

/** A request without a usable answer: it is not known what is there, or whether it was written. */
final class ApiException extends Exception {
    private static final long serialVersionUID = 1L;

    ApiException(String message, Throwable cause) {
        super(message, cause);
    }
}
