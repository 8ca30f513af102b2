package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.NotHolderException;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateStoreException;
import io.lettuce.core.RedisURI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A master, its replica, and a sentinel that lets the replica succeed it. */
@Tag("servers")
@Timeout(180)
class RedisSentinelTest {
    private static final Duration TTL = Duration.ofSeconds(3);
    private static final Duration CALL = Duration.ofMillis(250);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final RedisServer master = new RedisServer();
    private final RedisServer replica = new RedisServer();
    private final RedisServer sentinel = new RedisServer();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        master.start();
        replica.start("--replicaof", "127.0.0.1", Integer.toString(master.port()));
        await().atMost(PATIENCE)
                .until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
        Path configuration = Files.writeString(directory.resolve("sentinel.conf"), """
                sentinel monitor main 127.0.0.1 %d 1
                sentinel down-after-milliseconds main 1000
                sentinel failover-timeout main 5000
                """.formatted(master.port()));
        sentinel.startSentinel(configuration);
        await().atMost(PATIENCE)
                .until(() -> sentinel.command("INFO", "sentinel")
                        .contains("status=ok,address=127.0.0.1:" + master.port() + ",slaves=1"));
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
        sentinel.close();
        replica.close();
        master.close();
    }

    private LeaderLease contender(String prefix) {
        RedisConnections connections = RedisConnections.to(RedisURI.builder()
                .withSentinel("127.0.0.1", sentinel.port())
                .withSentinelMasterId("main")
                .build());
        opened.add(connections);
        RedisStoreOptions options = new RedisStoreOptions("lease:", CALL);
        LeaderLease lease = new LeaderLease(
                LeaseSettings.builder("orders")
                        .holderPrefix(prefix)
                        .ttl(TTL)
                        .drainTimeout(Duration.ZERO)
                        .build(),
                new RedisLeaseStore(connections, "orders", options),
                new RedisStateStore(connections, "orders", options));
        opened.add(lease);
        lease.start();
        return lease;
    }

    /** Commits where one leads; whether it was acknowledged. */
    private static boolean commits(LeaderLease lease, String value) {
        if (!lease.isHeld()) {
            return false;
        }
        try {
            lease.state().commit("orders", value);
            return true;
        } catch (StateStoreException | StateFenceException | NotHolderException e) {
            return false;
        }
    }

    private static String stateOf(RedisServer server) {
        return server.command("HGET", "lease:{orders}:state", "state");
    }

    private void awaitReplicated(String value) {
        await().atMost(PATIENCE).until(() -> stateOf(replica).contains('"' + value + '"'));
    }

    private void awaitTheReplicaAsMaster() {
        await().atMost(PATIENCE)
                .until(() -> replica.command("INFO", "replication").contains("role:master"));
    }

    /** The former master takes writes for seconds yet, and they are lost: only what its successor has counts. */
    private void awaitCommitThatIsKept(LeaderLease one, LeaderLease other) {
        await().atMost(PATIENCE)
                .until(() -> (commits(one, "18") || commits(other, "18"))
                        && stateOf(replica).contains("\"18\""));
    }

    @Test
    void sentinelsAreAskedForTheMasterAndTheLeaseFollowsItWithItsState() {
        LeaderLease first = contender("first");
        await().atMost(PATIENCE).until(() -> commits(first, "17"));
        LeaderLease second = contender("second");
        awaitReplicated("17");
        await().atMost(PATIENCE)
                .until(() -> sentinel.command("SENTINEL", "FAILOVER", "main").equals("+OK"));
        awaitTheReplicaAsMaster();
        awaitCommitThatIsKept(first, second);
        await().atMost(PATIENCE)
                .until(() -> master.command("INFO", "replication").contains("role:slave"));
        await().during(TTL).atMost(PATIENCE).until(() -> first.isHeld() != second.isHeld());
        LeaderLease leader = first.isHeld() ? first : second;
        leader.stepDown();
        LeaderLease next = leader == first ? second : first;
        await().atMost(PATIENCE).until(() -> commits(next, "19"));
        assertThat(next.state().get("orders")).contains("19");
    }

    @Test
    void aMasterThatDiesIsFollowedByTheOneThatSentinelsName() {
        LeaderLease first = contender("first");
        await().atMost(PATIENCE).until(() -> commits(first, "17"));
        LeaderLease second = contender("second");
        awaitReplicated("17");
        master.close();
        awaitTheReplicaAsMaster();
        awaitCommitThatIsKept(first, second);
        await().during(TTL).atMost(PATIENCE).until(() -> first.isHeld() != second.isHeld());
    }
}
