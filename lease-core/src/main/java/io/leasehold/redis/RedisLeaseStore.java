package io.leasehold.redis;

import io.leasehold.json.Json;
import io.leasehold.json.Json.UnreadableException;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.lettuce.core.KeyValue;
import java.io.Closeable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease in Redis: the hash {@code <prefix>{<name>}:lease} with the epoch and the record as JSON. Safe for use by several
 * threads.
 *
 * <p>A write replaces both on the condition that they still are, byte for byte, what was read. Every write is told on the
 * channel {@code <prefix>{<name>}:changes}. The guarantees are those of {@link ConditionalLeaseStore}, for as long as Redis
 * loses no acknowledged write: see the package.
 */
public final class RedisLeaseStore extends ConditionalLeaseStore {
    private static final Logger LOG = LoggerFactory.getLogger(RedisLeaseStore.class);
    private static final byte[] EPOCH = RedisKeys.bytes("epoch");
    private static final byte[] RECORD = RedisKeys.bytes("record");

    private final RedisConnections connections;
    private final RedisLink link;
    private final String key;
    private final String channel;
    private final Duration timeout;
    private volatile String reported = "";

    /**
     * A lease. Nothing is read or connected yet.
     *
     * @param connections how to reach Redis; to be closed by whoever made them
     * @param leaseName the lease's name; any text that is not blank
     * @param options where the keys are, and how long an answer may take
     */
    public RedisLeaseStore(RedisConnections connections, String leaseName, RedisStoreOptions options) {
        RedisKeys keys = new RedisKeys(options.keyPrefix(), leaseName);
        this.connections = connections;
        this.link = new RedisLink(connections, options.timeout());
        this.key = keys.lease();
        this.channel = keys.channel();
        this.timeout = options.timeout();
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        List<KeyValue<byte[], byte[]>> found;
        try {
            found = link.call(commands -> commands.hmget(RedisKeys.bytes(key), EPOCH, RECORD));
        } catch (RedisFailure e) {
            throw new LeaseStoreException("The lease at " + location() + " could not be read: " + e.getMessage(), e);
        }
        String epoch = text(found.get(0).getValueOrElse(new byte[0]));
        byte[] record = found.get(1).getValueOrElse(new byte[0]);
        return epoch.isEmpty() && record.length == 0 ? LeaseSnapshot.empty(leaseId()) : snapshot(epoch, record);
    }

    @Override
    protected boolean write(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        int end = expected.contents().indexOf('\n');
        String epoch = end < 0 ? "" : expected.contents().substring(0, end);
        String record = expected.contents().substring(end + 1);
        try {
            return link.run(
                    RedisScript.WRITE_LEASE,
                    key,
                    bytes(epoch),
                    bytes(record),
                    bytes(Long.toString(next.epoch())),
                    Json.write(next),
                    RedisKeys.bytes(channel));
        } catch (RedisFailure e) {
            throw new LeaseStoreException(
                    "The lease at " + location() + " may or may not have been written, epoch " + next.epoch() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void check() throws LeaseStoreException {
        try {
            link.requirePermissions("The lease at " + location(), key, "HGET", "HSET", "PERSIST");
        } catch (RedisFailure e) {
            throw new LeaseStoreException("The lease at " + location() + " could not be read: " + e.getMessage(), e);
        }
    }

    @Override
    public Closeable watch(Runnable onChange) {
        try {
            return RedisWatch.begin(connections, timeout, channel, onChange);
        } catch (RedisFailure e) {
            throw new IllegalStateException(
                    "The channel " + channel + " at " + connections.location() + " cannot be subscribed to: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public String location() {
        return connections.location() + " key " + key;
    }

    private String leaseId() {
        return "redis:" + key;
    }

    private LeaseSnapshot snapshot(String epochText, byte[] recordBytes) throws LeaseStoreException {
        long epoch = epoch(epochText);
        String contents = epochText + '\n' + text(recordBytes);
        try {
            LeaseRecord record = Json.readLease(recordBytes, epoch);
            return new LeaseSnapshot(leaseId(), epoch, contents, record, record.ttl());
        } catch (UnreadableException e) {
            if (!reported.equals(contents)) {
                reported = contents;
                LOG.warn(
                        "The field record of {} cannot be understood ({}); its epoch counts, and it may be taken over once"
                                + " it has not changed for the longest ttl known",
                        location(),
                        e.getMessage());
            }
            return new LeaseSnapshot(leaseId(), epoch, contents, null, Duration.ZERO);
        }
    }

    private long epoch(String text) throws LeaseStoreException {
        long epoch;
        try {
            epoch = Long.parseLong(text);
        } catch (NumberFormatException e) {
            epoch = 0;
        }
        if (epoch < 1 || !Long.toString(epoch).equals(text)) {
            throw new LeaseStoreException(
                    "The field epoch of " + location() + " is no positive number, so it cannot be told"
                            + " which term is there. Set it to the epoch in the field record, or delete the key when no process"
                            + " leads.");
        }
        return epoch;
    }

    /** One character for each byte, so that nothing is lost whatever the bytes are. */
    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
