package io.leasehold.redis;

import io.lettuce.core.codec.Base16;
import java.nio.charset.StandardCharsets;

/**
 * A script and the name that the server gives it. Numbers stay texts in scripts: Lua's would round them.
 *
 * @param text the script
 * @param digest the SHA-1 of the text
 */
record RedisScript(String text, String digest) {

    /**
     * Replaces the lease, and tells whoever watches. A notice is a hint: where the user may not publish, the write counts
     * all the same. An expiry that somebody set is taken off, because a lease that vanishes looks like one that was lost.
     */
    static final RedisScript WRITE_LEASE = of("""
            if (redis.call('HGET', KEYS[1], 'epoch') or '') ~= ARGV[1]
                or (redis.call('HGET', KEYS[1], 'record') or '') ~= ARGV[2] then
              return 0
            end
            redis.call('HSET', KEYS[1], 'epoch', ARGV[3], 'record', ARGV[4])
            redis.call('PERSIST', KEYS[1])
            redis.pcall('PUBLISH', ARGV[5], ARGV[3])
            return 1
            """);

    /** Replaces the state. Its version stands for it, so the old one is not sent. */
    static final RedisScript WRITE_STATE = of("""
            if (redis.call('HGET', KEYS[1], 'version') or '') ~= ARGV[1]
                or (ARGV[1] == '' and redis.call('HEXISTS', KEYS[1], 'state') == 1) then
              return 0
            end
            redis.call('HSET', KEYS[1], 'version', ARGV[2], 'state', ARGV[3])
            redis.call('PERSIST', KEYS[1])
            return 1
            """);

    /**
     * Whether the user may run the commands that are named, where the server can say so: from version 7. Each is asked about
     * whole, because later servers count its arguments. Writes nothing.
     */
    static final RedisScript MAY_RUN = of("""
            local rest = {HGET = {'f'}, HEXISTS = {'f'}, HSET = {'f', 'v'}, PERSIST = {}}
            for _, command in ipairs(ARGV) do
              local said, allowed = pcall(redis.acl_check_cmd, command, KEYS[1], unpack(rest[command]))
              if said and not allowed then
                return 0
              end
            end
            return 1
            """);

    private static RedisScript of(String text) {
        return new RedisScript(text, Base16.digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
