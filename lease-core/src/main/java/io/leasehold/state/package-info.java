/**
 * State that only the holder of the newest epoch can change: the fence.
 *
 * <p>Whatever pauses and clocks do, every acknowledged commit is contained in every state that is acknowledged or opened
 * later, and a holder that has been succeeded is refused.
 */
@NullMarked
package io.leasehold.state;

import org.jspecify.annotations.NullMarked;
