/**
 * What a lease is kept in: the contract between the election and the places that can hold a lease.
 *
 * <p>A store only reads, conditionally replaces and, where it can, tells of changes. It holds no time, no retries and
 * no leadership; those are the election's.
 */
@NullMarked
package io.leasehold.store;

import org.jspecify.annotations.NullMarked;
