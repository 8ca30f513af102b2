package io.leasehold.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Makes the connections of leases and their states to one Redis: each store has its own, which it shares with nobody and
 * which wait for nothing that an application does. No connection is made before it is needed. Safe for use by several
 * threads.
 *
 * <p>A connection on which an answer did not come is given up, and what was asked on it is not asked again by another one.
 * Sentinels are asked for the master each time.
 */
public final class RedisConnections implements AutoCloseable {
    private static final Duration RECONNECT_LEAST = Duration.ofMillis(50);
    private static final Duration RECONNECT_MOST = Duration.ofSeconds(2);
    private static final int THREADS = 2;

    private final ClientResources resources;
    private final RedisClient commands;
    private final RedisClient notices;
    private final RedisURI uri;
    private final RedisStoreOptions options;

    private RedisConnections(
            ClientResources.Builder resources, RedisURI uri, ClientOptions base, RedisStoreOptions options) {
        this.options = options;
        this.uri = impatient(uri, options.timeout());
        this.resources = resources
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .reconnectDelay(Delay.exponential(RECONNECT_LEAST, RECONNECT_MOST, 2, TimeUnit.MILLISECONDS))
                .build();
        this.commands = RedisClient.create(this.resources);
        // A command is sent once, on the connection that it was meant for, or not at all.
        this.commands.setOptions(
                careful(base, options.timeout()).autoReconnect(false).build());
        this.notices = RedisClient.create(this.resources);
        this.notices.setOptions(
                careful(base, options.timeout()).autoReconnect(true).build());
    }

    /**
     * To one server, or to the master that sentinels name.
     *
     * @param uri the address, with credentials, database and TLS
     * @param options key prefix and time-out
     * @return connections that are made when they are needed
     */
    public static RedisConnections to(RedisURI uri, RedisStoreOptions options) {
        return to(uri, ClientOptions.create(), ClientResources.builder(), options);
    }

    /**
     * To one server, or to the master that sentinels name, with an application's own options of TLS, sockets and names.
     *
     * @param uri the address, with credentials, database and TLS
     * @param base options to begin with; what decides on repeated or delayed commands, and the time-outs, are replaced
     * @param resources resources to begin with; the number of threads and the delay of a reconnect are replaced
     * @param options key prefix and time-out
     * @return connections that are made when they are needed
     */
    public static RedisConnections to(
            RedisURI uri, ClientOptions base, ClientResources.Builder resources, RedisStoreOptions options) {
        return new RedisConnections(resources, uri, base, options);
    }

    RedisStoreOptions options() {
        return options;
    }

    ConnectionFuture<StatefulRedisConnection<byte[], byte[]>> connect() {
        return commands.connectAsync(ByteArrayCodec.INSTANCE, uri);
    }

    ConnectionFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connectForNotices() {
        return notices.connectPubSubAsync(ByteArrayCodec.INSTANCE, uri);
    }

    /** The address without credentials. */
    String location() {
        String scheme = uri.isSsl() ? "rediss" : "redis";
        String address;
        if (!uri.getSentinels().isEmpty()) {
            scheme += "-sentinel";
            address = uri.getSentinels().stream()
                            .map(sentinel -> sentinel.getHost() + ':' + sentinel.getPort())
                            .collect(Collectors.joining(","))
                    + '/'
                    + uri.getSentinelMasterId();
        } else if (uri.getSocket() != null) {
            scheme += "-socket";
            address = uri.getSocket();
        } else {
            address = uri.getHost() + ':' + uri.getPort();
        }
        return scheme + "://" + address + '/' + uri.getDatabase();
    }

    /** Ends every connection and thread. */
    @Override
    public void close() {
        commands.shutdown(Duration.ZERO, options.timeout());
        notices.shutdown(Duration.ZERO, options.timeout());
        resources
                .shutdown(0, options.timeout().toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(options.timeout().toMillis());
    }

    private static ClientOptions.Builder careful(ClientOptions base, Duration timeout) {
        return base.mutate()
                .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(base.getSocketOptions()
                        .mutate()
                        .connectTimeout(timeout)
                        .keepAlive(true)
                        .build());
    }

    private static RedisURI impatient(RedisURI uri, Duration timeout) {
        RedisURI copy = RedisURI.builder(uri).withTimeout(timeout).build();
        copy.getSentinels().forEach(sentinel -> sentinel.setTimeout(timeout));
        return copy;
    }
}
