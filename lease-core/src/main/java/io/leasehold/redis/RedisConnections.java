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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the connections of leases and their states to one Redis: each store has its own, which it shares with nobody and
 * which wait for nothing that an application does. No connection is made before it is needed. Safe for use by several
 * threads.
 *
 * <p>A connection on which an answer did not come is given up, and what was asked on it is not asked again by another one.
 * Sentinels are asked for the master each time.
 */
public final class RedisConnections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisConnections.class);
    private static final Duration RECONNECT_LEAST = Duration.ofMillis(50);
    private static final Duration RECONNECT_MOST = Duration.ofSeconds(2);
    private static final Duration CLOSING = Duration.ofSeconds(2);
    private static final int THREADS = 2;

    private final ClientResources resources;
    private final RedisClient commands;
    private final RedisClient notices;
    private final RedisURI uri;

    private RedisConnections(ClientResources resources, RedisURI uri, ClientOptions.Builder options) {
        this.uri = uri;
        this.resources = resources;
        // A command is sent once, on the connection that it was meant for, or not at all.
        this.commands = RedisClient.create(resources);
        this.commands.setOptions(options.autoReconnect(false).build());
        this.notices = RedisClient.create(resources);
        this.notices.setOptions(options.autoReconnect(true).build());
    }

    /**
     * To one server, or to the master that sentinels name.
     *
     * @param uri the address, with credentials, database and TLS
     * @return connections that are made when they are needed
     */
    public static RedisConnections to(RedisURI uri) {
        return to(uri, ClientOptions.create(), ClientResources.builder());
    }

    /**
     * To one server, or to the master that sentinels name, with an application's own options of TLS, sockets and names.
     *
     * @param uri the address, with credentials, database and TLS
     * @param base options to begin with; what decides on repeated or delayed commands is replaced
     * @param resources resources to begin with; the number of threads and the delay of a reconnect are replaced
     * @return connections that are made when they are needed
     */
    public static RedisConnections to(RedisURI uri, ClientOptions base, ClientResources.Builder resources) {
        ClientResources own = resources
                .ioThreadPoolSize(THREADS)
                .computationThreadPoolSize(THREADS)
                .reconnectDelay(Delay.exponential(RECONNECT_LEAST, RECONNECT_MOST, 2, TimeUnit.MILLISECONDS))
                .build();
        return new RedisConnections(
                own,
                uri,
                base.mutate()
                        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
                        .socketOptions(
                                base.getSocketOptions().mutate().keepAlive(true).build()));
    }

    ConnectionFuture<StatefulRedisConnection<byte[], byte[]>> connect(Duration timeout) {
        return commands.connectAsync(ByteArrayCodec.INSTANCE, impatient(timeout));
    }

    ConnectionFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connectForNotices(Duration timeout) {
        return notices.connectPubSubAsync(ByteArrayCodec.INSTANCE, impatient(timeout));
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

    /** Ends every connection and thread; waits a few seconds at most. */
    @Override
    public void close() {
        long limitMs = CLOSING.toMillis();
        CompletableFuture<Void> ended = CompletableFuture.allOf(
                commands.shutdownAsync(0, limitMs, TimeUnit.MILLISECONDS),
                notices.shutdownAsync(0, limitMs, TimeUnit.MILLISECONDS));
        try {
            ended.get(limitMs, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("Connections to {} may still be open", location(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            resources.shutdown(0, limitMs, TimeUnit.MILLISECONDS).awaitUninterruptibly(limitMs);
        }
    }

    /** The builder that begins with a URI leaves its sentinels out. */
    private RedisURI impatient(Duration timeout) {
        RedisURI.Builder copy = RedisURI.builder(uri).withTimeout(timeout);
        for (RedisURI sentinel : uri.getSentinels()) {
            copy.withSentinel(RedisURI.builder(sentinel).withTimeout(timeout).build());
        }
        if (uri.getSentinelMasterId() != null) {
            copy.withSentinelMasterId(uri.getSentinelMasterId());
        }
        return copy.build();
    }
}
