package io.leasehold;

/**
 * The work that follows the lease. Each listener is called in strict pairs, {@code onAcquired} and then {@code
 * onSurrendered}, one call at a time, on a thread of its own that never renews the lease: one that hangs holds up neither
 * the lease nor other listeners. A term that ends before a listener could be told of it is not told at all.
 *
 * <p>While a listener has not returned from {@link #onSurrendered}, this process does not contend again.
 */
public interface LeaseListener {

    /**
     * This process leads: start the work. An exception makes it surrender, with reason {@link
     * SurrenderReason#LISTENER_FAILED}; {@link #onSurrendered} is called all the same.
     *
     * @param lease the term that has begun
     */
    void onAcquired(Lease lease);

    /**
     * A surrender has begun: stop the work, and return when it has stopped. The lease is given to another before its
     * deadline only if every listener has returned normally by then; otherwise the term runs out. {@link Lease#isHeld()}
     * stays true meanwhile, unless the reason is that the term is over already.
     *
     * @param lease the term that ends
     * @param reason why it ends
     */
    void onSurrendered(Lease lease, SurrenderReason reason);
}
