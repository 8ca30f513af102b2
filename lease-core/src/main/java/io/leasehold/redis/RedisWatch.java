package io.leasehold.redis;

import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.io.Closeable;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * A subscription to a lease's channel, on a connection of its own that Lettuce restores and subscribes again. Notices that
 * came meanwhile are lost, so each subscription counts as one.
 */
final class RedisWatch extends RedisPubSubAdapter<byte[], byte[]> implements Closeable {
    private final ConnectionFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connection;
    private final Runnable onChange;
    private volatile boolean closed;

    private RedisWatch(ConnectionFuture<StatefulRedisPubSubConnection<byte[], byte[]>> connection, Runnable onChange) {
        this.connection = connection;
        this.onChange = onChange;
    }

    static RedisWatch begin(RedisConnections connections, Duration timeout, String channel, Runnable onChange)
            throws RedisFailure {
        RedisWatch watch = new RedisWatch(connections.connectForNotices(timeout), onChange);
        try {
            StatefulRedisPubSubConnection<byte[], byte[]> connection = RedisLink.await(watch.connection, timeout);
            connection.addListener(watch);
            RedisLink.await(connection.async().subscribe(RedisKeys.bytes(channel)), timeout);
            return watch;
        } catch (ExecutionException | TimeoutException e) {
            watch.close();
            throw RedisFailures.describe(e, timeout);
        } catch (InterruptedException e) {
            watch.close();
            throw RedisLink.interrupted(e);
        }
    }

    @Override
    public void message(byte[] channel, byte[] message) {
        changed();
    }

    @Override
    public void subscribed(byte[] channel, long count) {
        changed();
    }

    @Override
    public void close() {
        closed = true;
        RedisLink.end(connection);
    }

    private void changed() {
        if (!closed) {
            onChange.run();
        }
    }
}
