package io.leasehold.sample.replica;

/** The work that an event causes. */
interface EventWork {

    /**
     * Does the work of one event.
     *
     * @param number the number of the event
     * @throws InterruptedException when the work was given up
     */
    void handle(long number) throws InterruptedException;
}
