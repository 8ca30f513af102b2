/**
 * A lease with epochs: of all processes that contend for it, at most one holds it at a time.
 *
 * <h2>What is not guaranteed</h2>
 *
 * <ul>
 *   <li>{@link io.leasehold.Lease#isHeld()} does not stop a side effect that is already on its way when it turns false.
 *       Where the other side can check a number, give it the epoch. The state store of this library does: <b>the epoch in the
 *       write is the guarantee</b>, {@code isHeld()} saves work.
 *   <li>A process that starts and finds a lease expired trusts wall clocks to within {@code maxClockSkew}: one whose clock
 *       is further ahead than that of a live holder may take over from it. A very large value makes it always observe a whole
 *       ttl first.
 *   <li>A wall clock that is set forward by more than the ttl looks like a suspend: the holder surrenders. That is safe, and
 *       a gap.
 *   <li>A virtual machine that is frozen with both its clocks can believe that it holds until one of them is corrected. Only
 *       the state store's fence covers that.
 *   <li>Where the lease's records are deleted under a live holder and there is no state store that remembers the epochs, two
 *       holders are possible for up to a ttl, and an epoch can repeat.
 * </ul>
 *
 * <p>Clocks may drift by up to a fiftieth of the ttl within one ttl; that, and at least 20 ms, is the margin by which a holder
 * stops before others may begin.
 *
 * <h2>What is guaranteed</h2>
 *
 * <ul>
 *   <li>Leadership ends by itself: at the deadline, which is the last confirmed renew's beginning plus the ttl less the
 *       margin, {@code isHeld()} is false, whatever any thread is doing and whichever clock jumps; elapsed time is the larger
 *       of what the monotonic and the wall clock say.
 *   <li>Work ends before the lease does: when no renew has been confirmed by the drain point, which is the deadline less the
 *       drain timeout, or the holder steps down, the listeners are told to stop; the lease is released only after all of them
 *       have returned, and otherwise left to run out.
 *   <li>Every term has its own epoch, higher than all before it. A standby never compares clocks with a holder: it waits until
 *       it has seen the lease unchanged for the ttl that it names, on its own monotonic clock.
 *   <li>A term that has ended never comes back to life.
 * </ul>
 *
 * <h2>The holder that cannot confirm</h2>
 *
 * <p>The holder is biased to stay, the standby is not. Were both to give up on a failed read, a hiccup of the storage of two
 * seconds would leave nobody in charge; were both to go on, there would be two. A standby whose read fails cannot tell whether
 * a holder is alive: it never guesses, it waits and reads again. A holder knows that nobody may succeed it before its ttl has
 * passed, so inside that time a read that fails costs nothing: it reads again after the verify delay, and renews all the same.
 *
 * <p>The bias is capped. <i>Last confirmed</i> advances only with a renew that is known to be in the store and was followed by
 * a look that showed nothing higher; a failed read never advances it, and neither does a write that could not be looked at,
 * which is counted as <i>unverified</i>. From the drain point on, a holder that cannot read writes nothing, and at the deadline
 * its term is over. With a drain timeout of zero that means: within one ttl of the last confirmed renew failed reads still
 * renew; after it nothing is written. With a drain timeout the work begins to end that much earlier, on purpose: it has ended
 * when the term ends.
 *
 * <p>So a holder whose reads fail while its writes work can never write over its successor's claim: by the time there is a
 * successor it has stopped writing, and every epoch has a record of its own.
 */
@NullMarked
package io.leasehold;

import org.jspecify.annotations.NullMarked;
