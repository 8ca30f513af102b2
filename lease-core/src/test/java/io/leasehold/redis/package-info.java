/** Leases and states in real Redis servers, which the tests start. */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
