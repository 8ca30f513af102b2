package io.leasehold.redis;

import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.UnsuitableStoreException;
import io.leasehold.store.WriteOutcome;
import io.lettuce.core.RedisURI;
import java.io.Closeable;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server refuses is never taken for a free lease, and the message says who has to do what. */
@Tag("servers")
class RedisRefusalTest {
    private static final RedisServer SERVER = new RedisServer();
    private static final RedisStoreOptions OPTIONS = new RedisStoreOptions("lease:", Duration.ofSeconds(10));

    private RedisConnections connections;
    private RedisLeaseStore store;

    @BeforeAll
    static void start() {
        SERVER.start();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @BeforeEach
    void connect() throws Exception {
        SERVER.command("FLUSHALL");
        connections = SERVER.connections();
        store = new RedisLeaseStore(connections, "orders", OPTIONS);
        assertThat(store.replace(store.read(), claim("a", 1))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @AfterEach
    void disconnect() {
        connections.close();
    }

    private void refusesAWrite(String advice) throws Exception {
        LeaseSnapshot found = store.read();
        assertThatThrownBy(() -> store.replace(found, claim("b", 2)))
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("lease:{orders}:lease")
                .hasMessageContaining(advice);
    }

    private void acceptsAWriteAgain() throws Exception {
        assertThat(store.read().epoch()).isEqualTo(1);
        assertThat(store.replace(store.read(), claim("b", 2))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    private static void set(String setting, String value) {
        assertThat(SERVER.command("CONFIG", "SET", setting, value)).isEqualTo("+OK");
    }

    @Test
    void aReplica() throws Exception {
        SERVER.command("REPLICAOF", "127.0.0.1", "1");
        try {
            refusesAWrite("This server is a replica now");
            set("replica-serve-stale-data", "no");
            assertThatThrownBy(store::read).hasMessageContaining("replica without its master");
        } finally {
            SERVER.command("REPLICAOF", "NO", "ONE");
            set("replica-serve-stale-data", "yes");
        }
        acceptsAWriteAgain();
    }

    @Test
    void aServerWithoutMemory() throws Exception {
        set("maxmemory", "1");
        try {
            refusesAWrite("raise its maxmemory");
        } finally {
            set("maxmemory", "0");
        }
        acceptsAWriteAgain();
    }

    @Test
    void aServerWithTooFewReplicas() throws Exception {
        set("min-replicas-to-write", "1");
        try {
            refusesAWrite("min-replicas-to-write");
        } finally {
            set("min-replicas-to-write", "0");
        }
        acceptsAWriteAgain();
    }

    @Test
    void aPasswordThatIsAskedForOrWrong() throws Exception {
        set("requirepass", "secret");
        RedisURI wrong = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(SERVER.port())
                .withPassword("no".toCharArray())
                .build();
        try (RedisConnections without = SERVER.connections();
                RedisConnections other = RedisConnections.to(wrong)) {
            // Lettuce now and then tells of the end of the connection, and not of the refusal that led to it.
            await().untilAsserted(() -> assertThatThrownBy(() -> new RedisLeaseStore(without, "orders", OPTIONS).read())
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("asks for a user name and a password"));
            await().untilAsserted(() -> assertThatThrownBy(() -> new RedisLeaseStore(other, "orders", OPTIONS).check())
                    .isInstanceOf(UnsuitableStoreException.class)
                    .hasMessageContaining("password is wrong"));
            await().untilAsserted(() -> assertThatThrownBy(() -> new RedisLeaseStore(other, "orders", OPTIONS).read())
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("password is wrong"));
        } finally {
            assertThat(SERVER.command("AUTH", "secret")).isEqualTo("+OK");
            connections.close();
            RedisURI right = RedisURI.builder()
                    .withHost("127.0.0.1")
                    .withPort(SERVER.port())
                    .withPassword("secret".toCharArray())
                    .build();
            connections = RedisConnections.to(right);
            store = new RedisLeaseStore(connections, "orders", OPTIONS);
            acceptsAWriteAgain();
            SERVER.close();
            SERVER.start();
        }
    }

    @Test
    void aUserNeedsTheCommandsAndKeysThatTheAdviceNames() throws Exception {
        String[] all = {
            "+hmget", "+eval", "+evalsha", "+hget", "+hset", "+hexists", "+persist", "+publish", "+subscribe"
        };
        RedisURI uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(SERVER.port())
                .withAuthentication("app", "secret".toCharArray())
                .build();
        user("~lease:*", "&lease:*", String.join(" ", all));
        try (RedisConnections permitted = RedisConnections.to(uri)) {
            store = new RedisLeaseStore(permitted, "orders", OPTIONS);
            AtomicInteger notices = new AtomicInteger();
            try (Closeable watch = store.watch(notices::incrementAndGet)) {
                await().untilAsserted(() -> assertThat(notices).hasPositiveValue());
                int before = notices.get();
                acceptsAWriteAgain();
                await().untilAsserted(() -> assertThat(notices).hasValueGreaterThan(before));
            }
            new RedisStateStore(permitted, "orders", OPTIONS)
                    .open(1, "a", "lease")
                    .write(Map.of("a", "b"));
        }
        for (String command : new String[] {"+hmget", "+eval", "+evalsha", "+hget", "+hset"}) {
            user(
                    "~lease:*",
                    "&lease:*",
                    String.join(" ", all).replaceFirst("\\" + command + "\\b", "-" + command.substring(1)));
            SERVER.command("SCRIPT", "FLUSH");
            SERVER.command("DEL", "lease:{orders}:lease");
            try (RedisConnections permitted = RedisConnections.to(uri)) {
                RedisLeaseStore refused = new RedisLeaseStore(permitted, "orders", OPTIONS);
                assertThatThrownBy(() -> refused.replace(refused.read(), claim("c", 1)))
                        .as(command)
                        .isInstanceOf(LeaseStoreException.class)
                        .hasMessageContaining("Allow the user the keys");
            }
        }
        user("~other:*", "&other:*", String.join(" ", all));
        try (RedisConnections permitted = RedisConnections.to(uri)) {
            RedisLeaseStore refused = new RedisLeaseStore(permitted, "orders", OPTIONS);
            assertThatThrownBy(refused::read).hasMessageContaining("Allow the user the keys");
            assertThatThrownBy(() -> refused.watch(() -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("Allow the user the keys");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hmget", "eval", "evalsha", "hget", "hset", "persist", "keys"})
    void whatAUserLacksIsKnownBeforeAnybodyReliesOnIt(String lacking) throws Exception {
        assertThat(uncheckedBy(lacking))
                .isInstanceOf(UnsuitableStoreException.class)
                .hasMessageContaining("NOPERM");
        assertThat(uncheckedBy("publish")).isNull();
        assertThat(store.read().epoch()).as("a check writes nothing").isOne();
    }

    private static @Nullable Throwable uncheckedBy(String lacking) {
        user(
                lacking.equals("keys") ? "~other:*" : "~lease:*",
                "&lease:*",
                "+hmget +eval +evalsha +hget +hset +hexists +persist +publish -" + lacking);
        SERVER.command("SCRIPT", "FLUSH");
        RedisURI uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(SERVER.port())
                .withAuthentication("app", "secret".toCharArray())
                .build();
        try (RedisConnections permitted = RedisConnections.to(uri)) {
            RedisLeaseStore leases = new RedisLeaseStore(permitted, "orders", OPTIONS);
            RedisStateStore states = new RedisStateStore(permitted, "orders", OPTIONS);
            Throwable refused = catchThrowable(leases::check);
            Throwable state = catchThrowable(states::check);
            assertThat(state == null ? null : state.getClass()).isEqualTo(refused == null ? null : refused.getClass());
            return refused;
        }
    }

    private static void user(String keys, String channels, String commands) {
        String[] start = {"ACL", "SETUSER", "app", "reset", "on", ">secret", keys, channels};
        String[] words = java.util.stream.Stream.concat(
                        java.util.Arrays.stream(start), java.util.Arrays.stream(commands.split(" ")))
                .toArray(String[]::new);
        assertThat(SERVER.command(words)).isEqualTo("+OK");
    }

    @Test
    void aUserWhoMayNotPublishWritesAllTheSame() throws Exception {
        user("~lease:*", "resetchannels", "+hmget +eval +evalsha +hget +hset +persist");
        RedisURI uri = RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(SERVER.port())
                .withAuthentication("app", "secret".toCharArray())
                .build();
        try (RedisConnections permitted = RedisConnections.to(uri)) {
            store = new RedisLeaseStore(permitted, "orders", OPTIONS);
            assertThat(store.write(store.read(), claim("b", 2)))
                    .as("one answer, not one that is looked for")
                    .isTrue();
        }
    }

    @Test
    void aNodeOfAClusterWithoutSlots() {
        try (RedisServer node = new RedisServer()) {
            node.start("--cluster-enabled", "yes", "--cluster-config-file", "nodes-" + node.port() + ".conf");
            try (RedisConnections alone = node.connections()) {
                RedisLeaseStore there = new RedisLeaseStore(alone, "orders", OPTIONS);
                assertThatThrownBy(there::read)
                        .isInstanceOf(LeaseStoreException.class)
                        .hasMessageContaining("does not serve the lease's slot");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "LOADING Redis is loading the dataset in memory, LOADING",
        "MOVED 3999 127.0.0.1:6381, MOVED",
        "BUSY Redis is busy running a script, BUSY",
        "MISCONF Redis is configured to save RDB snapshots, MISCONF",
        "ERR Error running script (call to f_1): @user_script:1: -READONLY You can't write, READONLY",
        "ERR The user executing the script can't run this command or subcommand script: 1, NOPERM"
    })
    void aRefusalIsKnownByItsWord(String message, RedisRefusal refusal) {
        assertThat(RedisRefusal.in(message)).contains(refusal);
        assertThat(RedisRefusal.in("ERR unknown command")).isEmpty();
    }
}
