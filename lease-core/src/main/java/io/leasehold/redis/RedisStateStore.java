package io.leasehold.redis;

import io.leasehold.json.Json;
import io.leasehold.json.Json.UnreadableException;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateRecord;
import io.leasehold.state.StateStoreException;
import io.lettuce.core.KeyValue;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state in Redis, fenced by epoch: the hash {@code <prefix>{<name>}:state} with the whole state as JSON and, beside it,
 * the version that a write has to find, which is made of epoch, sequence and holder. Safe for use by several threads.
 *
 * <p>The guarantees are those of {@link ConditionalStateStore}, for as long as Redis loses no acknowledged write: see the
 * package.
 */
public final class RedisStateStore extends ConditionalStateStore {
    private static final byte[] VERSION = RedisKeys.bytes("version");
    private static final byte[] STATE = RedisKeys.bytes("state");

    private final RedisConnections connections;
    private final RedisLink link;
    private final String key;

    /**
     * A state. Nothing is read or connected yet.
     *
     * @param connections how to reach Redis; to be closed by whoever made them
     * @param leaseName the lease's name; any text that is not blank
     * @param options where the keys are, and how long an answer may take
     */
    public RedisStateStore(RedisConnections connections, String leaseName, RedisStoreOptions options) {
        this.connections = connections;
        this.link = new RedisLink(connections, options.timeout());
        this.key = new RedisKeys(options.keyPrefix(), leaseName).state();
    }

    @Override
    protected @Nullable StateRecord read() {
        List<KeyValue<byte[], byte[]>> found;
        try {
            found = link.call(commands -> commands.hmget(RedisKeys.bytes(key), VERSION, STATE));
        } catch (RedisFailure e) {
            throw new StateStoreException("The state at " + location() + " could not be read: " + e.getMessage(), e);
        }
        byte[] version = found.get(0).getValueOrElse(new byte[0]);
        byte[] state = found.get(1).getValueOrElse(new byte[0]);
        return version.length == 0 && state.length == 0 ? null : parsed(version, state);
    }

    @Override
    protected boolean write(@Nullable StateRecord expected, StateRecord next) {
        try {
            return link.run(
                    RedisScript.WRITE_STATE,
                    key,
                    expected == null ? new byte[0] : version(expected),
                    version(next),
                    Json.write(next));
        } catch (RedisFailure e) {
            throw new StateStoreException(
                    "The state at " + location() + " may or may not have been written, epoch " + next.epoch() + ": "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void check() {
        try {
            link.requirePermissions("The state at " + location(), key, "HGET", "HEXISTS", "HSET", "PERSIST");
        } catch (RedisFailure e) {
            throw new StateStoreException("The state at " + location() + " could not be read: " + e.getMessage(), e);
        }
    }

    @Override
    public String location() {
        return connections.location() + " key " + key;
    }

    private StateRecord parsed(byte[] version, byte[] state) {
        String found;
        try {
            StateRecord record = Json.readState(state);
            if (Arrays.equals(version(record), version)) {
                return record;
            }
            found = "its fields version and state are not of one write";
        } catch (UnreadableException e) {
            found = e.getMessage();
        }
        throw new StateStoreException("The state at " + location() + " cannot be understood (" + found
                + "). Restore both fields from a backup, or delete the key to begin with an empty state.");
    }

    private static byte[] version(StateRecord record) {
        return RedisKeys.bytes(record.epoch() + "/" + record.sequence() + "/" + record.holder());
    }
}
