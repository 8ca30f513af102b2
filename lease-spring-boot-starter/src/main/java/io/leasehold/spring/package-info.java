/**
 * A lease in a Spring application: listener containers that run only while the application holds it, and events.
 *
 * <p>Guaranteed: a container that follows the lease is not running when the context has started; it is started after the
 * lease has been acquired; the lease is released only after every container has stopped and no message is being handled.
 * A message that reaches a guarded container of a process that does not hold the lease is not handled.
 *
 * <p>Not guaranteed: that the handling of a message that was begun while the lease was held ends before the term does. A
 * listener that hangs, or a process that is frozen, can outlive its term; the term then runs out and is not released.
 * Where that must not do harm, commit through {@link io.leasehold.state.LeaderState} or hand the epoch on.
 *
 * <p>Not guaranteed either: that a message refused by the guard is delivered again. That depends on the acknowledge mode
 * of its container. A transacted session (the default of Spring Boot) is rolled back and client acknowledgement is left
 * out, so the broker delivers again, and counts the attempt. With automatic acknowledgement outside a transaction the
 * broker regards a message as delivered before the listener sees it, and a refused message is lost, as with every listener
 * that fails.
 *
 * <p>A JMS container that waits for a message notices that it is stopped only when its receive timeout is over, a second
 * unless set otherwise. A drain timeout below that leaves the lease to run out instead of being released.
 */
@NullMarked
package io.leasehold.spring;

import org.jspecify.annotations.NullMarked;
