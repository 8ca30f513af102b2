package io.leasehold.redis;

import io.leasehold.store.UnsuitableStoreException;
import io.lettuce.core.ConnectionFuture;
import io.lettuce.core.KeyValue;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store's one connection: made when it is needed, given up when an answer does not come. */
final class RedisLink {
    private final RedisConnections connections;
    private final Duration timeout;
    private @Nullable ConnectionFuture<StatefulRedisConnection<byte[], byte[]>> current;

    RedisLink(RedisConnections connections, Duration timeout) {
        this.connections = connections;
        this.timeout = timeout;
    }

    /** Sends one command and waits for its answer. */
    <T> T call(Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) throws RedisFailure {
        try {
            return answer(command);
        } catch (RedisNoScriptException e) {
            throw failure(e);
        }
    }

    /** Runs a script that answers 1 or 0; it is sent whole only where the server does not know it (any more). */
    boolean run(RedisScript script, String key, byte[]... values) throws RedisFailure {
        byte[][] keys = {RedisKeys.bytes(key)};
        Long answer;
        try {
            answer = this.<Long>answer(
                    commands -> commands.evalsha(script.digest(), ScriptOutputType.INTEGER, keys, values));
        } catch (RedisNoScriptException e) {
            answer = this.<Long>call(commands -> commands.eval(script.text(), ScriptOutputType.INTEGER, keys, values));
        }
        return answer == 1;
    }

    /**
     * Whether the user may read the key and run these commands on it, and the key holds what it has to.
     *
     * @throws UnsuitableStoreException when a person has to change something first
     */
    void requirePermissions(String what, String key, String... commands) throws RedisFailure {
        try {
            List<KeyValue<byte[], byte[]>> unused = call(asked -> asked.hmget(RedisKeys.bytes(key), new byte[0]));
            byte[][] names = Stream.of(commands).map(RedisKeys::bytes).toArray(byte[][]::new);
            if (!run(RedisScript.MAY_RUN, key, names)) {
                throw new RedisFailure("NOPERM for one of " + List.of(commands), RedisRefusal.NOPERM, null);
            }
        } catch (RedisFailure e) {
            e.requireSuitable(what);
            throw e;
        }
    }

    private <T> T answer(Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) throws RedisFailure {
        ConnectionFuture<StatefulRedisConnection<byte[], byte[]>> connection = connection();
        RedisFuture<T> sent;
        try {
            sent = command.apply(await(connection, timeout).async());
        } catch (ExecutionException | TimeoutException | CancellationException e) {
            drop(connection);
            throw failure(e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        try {
            return await(sent, timeout);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RedisNoScriptException unknown) {
                throw unknown;
            }
            if (!mayGoOn(e)) {
                drop(connection);
            }
            throw failure(e);
        } catch (TimeoutException | CancellationException e) {
            sent.cancel(true);
            drop(connection);
            throw failure(e);
        } catch (InterruptedException e) {
            sent.cancel(true);
            throw interrupted(e);
        }
    }

    /** An interrupt comes before an answer that is there already. */
    static <T> T await(Future<T> future, Duration timeout)
            throws ExecutionException, TimeoutException, InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return future.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    private synchronized ConnectionFuture<StatefulRedisConnection<byte[], byte[]>> connection() throws RedisFailure {
        try {
            if (current == null || isOver(current)) {
                current = connections.connect(timeout);
            }
            return current;
        } catch (RuntimeException e) {
            throw failure(e);
        }
    }

    private static boolean isOver(ConnectionFuture<StatefulRedisConnection<byte[], byte[]>> connection) {
        if (!connection.isDone()) {
            return false;
        }
        try {
            return !connection.join().isOpen();
        } catch (RuntimeException e) {
            return true;
        }
    }

    private synchronized void drop(ConnectionFuture<StatefulRedisConnection<byte[], byte[]>> connection) {
        if (current == connection) {
            current = null;
        }
        end(connection);
    }

    /** Closes a connection, also one that is still being made. */
    static void end(ConnectionFuture<? extends StatefulConnection<?, ?>> connection) {
        Future<Void> unusedEnd = connection.thenAccept(made -> {
            Future<Void> unused = made.closeAsync();
        });
    }

    private static boolean mayGoOn(ExecutionException failure) {
        return failure.getCause() instanceof RedisCommandExecutionException refused
                && !RedisRefusal.in(String.valueOf(refused.getMessage()))
                        .map(RedisRefusal::connectAnew)
                        .orElse(false);
    }

    private RedisFailure failure(Exception failure) {
        return RedisFailures.describe(failure, timeout);
    }

    static RedisFailure interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new RedisFailure("the thread was interrupted while it waited for the answer", e);
    }
}
