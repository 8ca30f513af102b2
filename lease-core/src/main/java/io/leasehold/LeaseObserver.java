package io.leasehold;

import org.jspecify.annotations.Nullable;

/**
 * Watches what a contender does, such as to measure or to trace it. It is called on the threads that do the work, never under
 * a lock, and must not block: a renew waits for it. Whatever it throws is logged, once for a streak, and changes nothing.
 */
public interface LeaseObserver {

    /**
     * An operation begins. Several can be under way at once, and one can end on another thread than it began.
     *
     * @param operation what begins
     * @param lease the lease's name
     * @param holder the id of this contender
     * @param epoch the term that it belongs to, or that is claimed
     * @return what is told how it goes on
     */
    Observed begin(LeaseOperation operation, String lease, String holder, long epoch);

    /** One operation that is under way. */
    interface Observed {

        /**
         * This thread goes on with the operation until the scope is closed. May be called several times, by several threads;
         * {@link LeaseOperation#DRAIN} is waited for by no thread and has no scope.
         *
         * @return the scope, closed by the same thread
         */
        default Scope enter() {
            return () -> {};
        }

        /**
         * The operation has ended. Called once.
         *
         * @param outcome one of the outcomes of the operation
         * @param failure why it failed, where an exception tells
         */
        void end(LeaseOutcome outcome, @Nullable Throwable failure);
    }

    /** The time for which a thread works on an operation. */
    interface Scope {

        /** The thread leaves the operation, which has ended or goes on later. */
        void close();
    }
}
