/**
 * A lease and its state in Redis, through Lettuce.
 *
 * <p>Each is one hash. A write is one script that compares what is there with what has to be there and replaces it, so it
 * happens entirely or not at all, and one that arrives late changes nothing. No clock takes part, the keys never expire, and
 * everything is read from and written to the master.
 *
 * <p>Redis replicates asynchronously and may keep nothing: a failover or a restart can lose writes that were acknowledged,
 * and eviction or a flush can lose everything. Such a loss is seen as a change. It lets two holders believe that they lead
 * for less than a ttl; after a failover, as long as the former master still answers the one and takes its writes, which is
 * for some seconds with sentinels, and for as long as it is cut off from them (the server's {@code min-replicas-to-write}
 * and {@code min-replicas-max-lag} bound that). The epochs keep rising within each process that has seen them; beyond that
 * only a state store which remembers the epoch, kept elsewhere, makes sure that no epoch is given out twice and that a
 * commit of the former holder is refused. A state in the same Redis is lost with it.
 */
@NullMarked
package io.leasehold.redis;

import org.jspecify.annotations.NullMarked;
