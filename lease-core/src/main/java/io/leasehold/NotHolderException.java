package io.leasehold;

/** This process does not hold the lease. Nothing was done. */
public class NotHolderException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * A refusal.
     *
     * @param message which lease, and what was refused
     */
    public NotHolderException(String message) {
        super(message);
    }
}
