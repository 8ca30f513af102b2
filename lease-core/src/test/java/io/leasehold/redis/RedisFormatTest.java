package io.leasehold.redis;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is written into Redis, and what is made of things that others write there. */
@Tag("servers")
class RedisFormatTest {
    @RegisterExtension
    final RedisHandles handles = new RedisHandles();

    private static String redis(String... words) {
        return RedisServer.shared().command(words);
    }

    private LeaseRecord held(RedisLeaseStore store, LeaseRecord record) throws LeaseStoreException {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    @Test
    void aLeaseIsAHashWithItsEpochAndItsRecordAsJson() throws Exception {
        held(handles.lease(), claim("a", 7));
        assertThat(redis("HGET", handles.leaseKey(), "epoch")).isEqualTo("7");
        assertThat(redis("HGET", handles.leaseKey(), "record")).startsWith("{\"holder\":\"a\"");
        assertThat(handles.lease().read().leaseId()).isEqualTo("redis:" + handles.leaseKey());
    }

    @Test
    void aStateIsAHashWithItsVersionAndItsEntriesAsJson() {
        handles.state().open(7, "a/b", "lease-1").write(Map.of("orders", "17"));
        assertThat(redis("HGET", handles.stateKey(), "version")).isEqualTo("7/1/a/b");
        assertThat(redis("HGET", handles.stateKey(), "state")).contains("\"orders\":\"17\"");
    }

    @Test
    void anExpiryThatSomebodySetIsTakenOff() throws Exception {
        RedisLeaseStore store = handles.lease();
        LeaseRecord record = held(store, claim("a", 1));
        redis("EXPIRE", handles.leaseKey(), "1000");
        held(store, renewed(record));
        assertThat(redis("TTL", handles.leaseKey())).isEqualTo(":-1");
        handles.state().open(1, "a", "lease-1");
        redis("EXPIRE", handles.stateKey(), "1000");
        handles.state().open(2, "a", "lease-1");
        assertThat(redis("TTL", handles.stateKey())).isEqualTo(":-1");
    }

    @Test
    void everyNameHasKeysOfItsOwnInOneSlot() {
        for (String name : new String[] {"orders", "{}", "}{", "a}b{c", "a%7Db", "%", "Zoë 日本"}) {
            RedisKeys keys = new RedisKeys("lease:", name);
            String slot = redis("CLUSTER", "KEYSLOT", keys.lease());
            assertThat(redis("CLUSTER", "KEYSLOT", keys.state())).isEqualTo(slot);
            assertThat(keys.lease().substring("lease:{".length())).matches("[^{}]+}:lease");
        }
        assertThat(new RedisKeys("", "a}b").lease()).isNotEqualTo(new RedisKeys("", "a%7Db").lease());
        assertThatThrownBy(() -> new RedisKeys("", " ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RedisStoreOptions("{x}", Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("braces");
        assertThatThrownBy(() -> new RedisStoreOptions("x", Duration.ZERO)).hasMessageContaining("time-out");
    }

    @Test
    void aKeyOfAnotherTypeCannotBeToldAndIsLeftAlone() {
        redis("SET", handles.leaseKey(), "7");
        redis("SET", handles.stateKey(), "7");
        RedisLeaseStore store = handles.lease();
        assertThatThrownBy(store::read)
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(handles.leaseKey())
                .hasMessageContaining("The key holds something that is no lease");
        assertThatThrownBy(() -> store.replace(LeaseSnapshot.empty(null), claim("a", 1)))
                .isInstanceOf(LeaseStoreException.class);
        assertThatThrownBy(() -> handles.state().open(1, "a", "lease-1")).isInstanceOf(StateStoreException.class);
        assertThat(redis("GET", handles.leaseKey())).isEqualTo("7");
    }

    @Test
    void anEpochThatIsNoNumberCannotBeToldAndIsLeftAlone() throws Exception {
        RedisLeaseStore store = handles.lease();
        held(store, claim("a", 7));
        LeaseSnapshot seen = store.read();
        for (String epoch : new String[] {"x", "07", "-1", "0", "9223372036854775808", ""}) {
            redis("HSET", handles.leaseKey(), "epoch", epoch);
            assertThatThrownBy(store::read)
                    .isInstanceOf(LeaseStoreException.class)
                    .hasMessageContaining("Set it to");
            assertThatThrownBy(() -> store.replace(seen, claim("b", 8))).isInstanceOf(LeaseStoreException.class);
        }
        redis("HDEL", handles.leaseKey(), "epoch");
        assertThatThrownBy(store::read).isInstanceOf(LeaseStoreException.class);
        redis("HSET", handles.leaseKey(), "epoch", "7");
        assertThat(store.read()).isEqualTo(seen);
    }

    @Test
    void aRecordThatIsGoneIsAChangeOfItsEpoch() throws Exception {
        RedisLeaseStore store = handles.lease();
        LeaseRecord record = held(store, claim("a", 7));
        LeaseSnapshot seen = store.read();
        redis("HDEL", handles.leaseKey(), "record");
        assertThat(store.read().epoch()).isEqualTo(7);
        assertThat(store.read().record()).isNull();
        assertThat(store.read().unchangedFrom(seen)).isFalse();
        assertThat(store.replace(seen, renewed(record))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void contentsThatAreNoUtf8AreToldApart() throws Exception {
        RedisLeaseStore store = handles.lease();
        held(store, claim("a", 7));
        redis("EVAL", "redis.call('HSET', KEYS[1], 'record', '\\255')", "1", handles.leaseKey());
        LeaseSnapshot found = store.read();
        redis("EVAL", "redis.call('HSET', KEYS[1], 'record', '\\254')", "1", handles.leaseKey());
        assertThat(store.read().unchangedFrom(found)).isFalse();
        assertThat(store.replace(store.read(), claim("b", 8))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aStateWhoseVersionIsAnothersIsRefused() {
        RedisStateStore store = handles.state();
        store.open(7, "a", "lease-1").write(Map.of("secret", "17"));
        for (String version : new String[] {"8/1/a", "7/2/a", "7/1/b", ""}) {
            redis("HSET", handles.stateKey(), "version", version);
            assertThatThrownBy(store::head)
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("Restore both fields")
                    .hasMessageNotContaining("secret");
        }
        redis("HSET", handles.stateKey(), "version", "7/1/a", "state", "{\"secret");
        assertThatThrownBy(store::head).isInstanceOf(StateStoreException.class).hasMessageNotContaining("secret");
    }

    @Test
    void anOpenThatFoundNothingLeavesAStateWithoutAVersionAlone() {
        redis("HSET", handles.stateKey(), "state", "somebody's");
        assertThatThrownBy(() -> handles.state().open(1, "a", "lease-1")).isInstanceOf(StateStoreException.class);
        assertThat(handles.state().write(null, new io.leasehold.state.StateRecord("lease-1", "a", 1, 0, Map.of())))
                .isFalse();
        assertThat(redis("HGET", handles.stateKey(), "state")).isEqualTo("somebody's");
    }

    @Test
    void scriptsThatTheServerHasForgottenAreSentAgain() throws Exception {
        RedisLeaseStore store = handles.lease();
        LeaseRecord record = held(store, claim("a", 1));
        redis("SCRIPT", "FLUSH");
        assertThat(store.replace(store.read(), renewed(record))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aLocationNamesNoCredentials() {
        RedisURI uri = RedisURI.create("rediss://user:secret@redis.example.org:6380/3");
        try (RedisConnections connections = RedisConnections.to(uri)) {
            assertThat(new RedisLeaseStore(connections, "orders", RedisStoreOptions.defaults()).location())
                    .isEqualTo("rediss://redis.example.org:6380/3 key lease:{orders}:lease");
        }
        RedisURI sentinels = RedisURI.builder()
                .withSentinel("one", 26379, "secret")
                .withSentinel("two", 26379, "secret")
                .withSentinelMasterId("main")
                .withPassword("secret".toCharArray())
                .build();
        try (RedisConnections connections = RedisConnections.to(sentinels)) {
            assertThat(connections.location()).isEqualTo("redis-sentinel://one:26379,two:26379/main/0");
        }
        try (RedisConnections connections = RedisConnections.to(RedisURI.create("redis-socket:///run/redis.sock"))) {
            assertThat(connections.location()).isEqualTo("redis-socket:///run/redis.sock/0");
        }
    }
}
