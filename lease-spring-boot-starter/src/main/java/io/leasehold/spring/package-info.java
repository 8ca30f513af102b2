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
 * of its container.
 *
 * <ul>
 *   <li>JMS: A transacted session (the default of Spring Boot) is rolled back and client acknowledgement is left out, so the
 *       broker delivers again, and counts the attempt. With automatic acknowledgement outside a transaction the broker
 *       regards a message as delivered before the listener sees it, and a refused message is lost, as with every listener
 *       that fails.
 *   <li>RabbitMQ: It goes back to the queue, whatever {@code default-requeue-rejected}, interceptors and retries say; with
 *       manual acknowledgement when the channel closes, which is when the container stops. In the mode {@code NONE} it is
 *       lost.
 *   <li>Kafka: The consumer ends without a commit and without a call of any error handler, so the group's next consumer is
 *       given the record again, and with it what was handled since the last commit. With {@code enable.auto.commit} it can
 *       be lost.
 *   <li>Channels of Redis: It is dropped without an exception, and lost: a channel keeps nothing.
 *   <li>Streams of Redis: It is not acknowledged and stays in its group's pending list, where the application has to look
 *       for it; with automatic acknowledgement, or without a group, this process does not read it again.
 *   <li>Pulsar: It is acknowledged negatively and delivered again, unless an error handler recovers it; with manual
 *       acknowledgement it is left unacknowledged.
 *   <li>SQS: It is not acknowledged and visible again after its visibility timeout, unless acknowledgement is set to happen
 *       always.
 *   <li>Spring Integration: An inbound adapter or gateway gets the exception as from a channel that fails, and does what it
 *       does then; one with an error channel regards the message as handled once that has taken it.
 * </ul>
 *
 * <p>Which listeners of Redis are guarded is said at {@link io.leasehold.spring.GuardedRedisMessageListenerContainer} and
 * {@link io.leasehold.spring.GuardedStreamMessageListenerContainer}. Reactive containers of Pulsar follow without a guard,
 * and its readers do not follow.
 *
 * <p>Of Spring Integration, all endpoints whose role is the lease's name follow, as one container named {@code role:} and the
 * role, and Spring Integration's own events of that role are published. An adapter that sends to a reactive channel has no
 * guard. Nor has an endpoint that only consumes, and messages that wait in a channel of the application are not counted.
 * What belongs to the role without being an endpoint is started and stopped by Spring Integration as it hears the events,
 * and is not held back.
 *
 * <p>A listener that returns a future, or is suspended, counts as finished when it returns, except with SQS: what goes on
 * after that is not waited for. A Kafka listener that hangs keeps its partitions from its successor for {@code
 * max.poll.interval.ms}, five minutes unless set otherwise, even when the lease has run out. A simple container of RabbitMQ
 * interrupts a listener that has not returned within its shutdown timeout, five seconds unless set otherwise, and the
 * message goes back to the queue.
 *
 * <p>A JMS container, or a simple one of RabbitMQ, that waits for a message notices that it is stopped only when its receive
 * timeout is over, a second unless set otherwise. A drain timeout below that leaves the lease to run out instead of being
 * released.
 */
@NullMarked
package io.leasehold.spring;

import org.jspecify.annotations.NullMarked;
