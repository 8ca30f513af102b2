package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import io.leasehold.redis.RedisConnections;
import io.leasehold.redis.RedisLeaseStore;
import io.leasehold.redis.RedisStateStore;
import io.leasehold.spring.RedisServers;
import io.leasehold.spring.autoconfigure.health.LeaseHealthAutoConfiguration;
import io.leasehold.spring.health.LeaseHealthIndicator;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

@Tag("servers")
class LeaseRedisStoreTest {
    private static final RedisServers SERVER = new RedisServers();

    @TempDir
    Path directory;

    @BeforeAll
    static void start() throws Exception {
        SERVER.start();
    }

    @AfterAll
    static void stop() throws Exception {
        SERVER.stop();
    }

    @BeforeEach
    void forget() {
        SERVER.command("FLUSHALL");
    }

    private static ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        LeaseAutoConfiguration.class,
                        LeaseRedisStoreAutoConfiguration.class,
                        LeaseHealthAutoConfiguration.class))
                .withPropertyValues("lease.name=orders", "lease.store=redis", "lease.ttl=3s")
                .withPropertyValues(SERVER.properties());
    }

    @Test
    void theApplicationsRedisIsEnoughToLead() {
        runner().withPropertyValues("lease.ttl=60s").run(context -> {
            LeaderLease lease = context.getBean(LeaderLease.class);
            await().until(lease::isHeld);
            assertThat(context.getBean(LeaseStore.class)).isInstanceOf(RedisLeaseStore.class);
            assertThat(context.getBean(StateStore.class)).isInstanceOf(RedisStateStore.class);
            context.getBean(LeaderState.class).commit("a", "1");
            assertThat(SERVER.command("HGET", "lease:{orders}:lease", "epoch")).isEqualTo("$1");
            assertThat(SERVER.command("EXISTS", "lease:{orders}:state")).isEqualTo(":1");
        });
        runner().withPropertyValues("lease.ttl=60s").run(context -> {
            LeaderLease lease = context.getBean(LeaderLease.class);
            await().atMost(Duration.ofSeconds(30)).until(lease::isHeld);
            assertThat(lease.requireEpoch()).isEqualTo(2);
            assertThat(context.getBean(LeaderState.class).get("a")).contains("1");
        });
    }

    @Test
    void theKeyPrefixAndTheDatabaseAreTheApplications() {
        runner().withPropertyValues("lease.redis.key-prefix=shop:", "spring.data.redis.database=3")
                .run(context -> {
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                    assertThat(context.getBean(LeaseStore.class).location())
                            .endsWith("/3 key shop:{orders}:lease")
                            .startsWith("redis://127.0.0.1:");
                    assertThat(SERVER.command("EXISTS", "shop:{orders}:lease")).isEqualTo(":0");
                });
    }

    @Test
    void theSentinelsAreTheApplications() throws Exception {
        RedisServers sentinel = new RedisServers();
        sentinel.startSentinel(SERVER);
        try {
            SERVER.command("ACL", "SETUSER", "app", "reset", "on", ">secret", "~lease:*", "&lease:*", "+@all");
            runner().withPropertyValues(
                            "spring.data.redis.sentinel.master=main",
                            "spring.data.redis.sentinel.nodes=127.0.0.1:" + sentinel.port(),
                            "spring.data.redis.username=app",
                            "spring.data.redis.password=secret")
                    .run(context -> {
                        await().until(context.getBean(LeaderLease.class)::isHeld);
                        context.getBean(LeaderState.class).commit("a", "1");
                        assertThat(context.getBean(LeaseStore.class).location())
                                .isEqualTo("redis-sentinel://127.0.0.1:" + sentinel.port()
                                        + "/main/0 key lease:{orders}:lease");
                    });
            assertThat(SERVER.command("EXISTS", "lease:{orders}:state")).isEqualTo(":1");
        } finally {
            sentinel.stop();
        }
    }

    @Test
    void theUserAndThePasswordAreTheApplications() {
        SERVER.command("ACL", "SETUSER", "app", "reset", "on", ">secret", "~lease:*", "&lease:*", "+@all");
        runner().withPropertyValues("spring.data.redis.username=app", "spring.data.redis.password=secret")
                .run(context -> {
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                    assertThat(context.getBean(LeaseStore.class).location()).doesNotContain("secret");
                    assertThat(SERVER.command("ACL", "GETUSER", "app")).isNotBlank();
                });
    }

    @Test
    void aContextStartsWhileRedisIsDownAndLeadsWhenItIsUp() throws Exception {
        SERVER.stop();
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            LeaderLease lease = context.getBean(LeaderLease.class);
            LeaseHealthIndicator health = context.getBean(LeaseHealthIndicator.class);
            await().untilAsserted(() -> assertThat(
                            Objects.requireNonNull(health.health(true)).getStatus())
                    .isEqualTo(Status.DOWN));
            assertThat(lease.status().lastFailure()).contains("lease:{orders}:lease");
            assertThat(lease.status().phase()).isEqualTo(LeasePhase.STANDBY);
            SERVER.start();
            await().until(lease::isHeld);
            assertThat(Objects.requireNonNull(health.health(true)).getStatus()).isEqualTo(Status.UP);
        });
    }

    @ParameterizedTest
    @CsvSource({"redis, none, The lease at", "file, redis, The state at"})
    void aPermissionThatIsMissingEndsTheStart(String store, String state, String what) {
        SERVER.command("ACL", "SETUSER", "app", "reset", "on", ">secret", "~lease:*", "&lease:*", "+@all", "-hset");
        runner().withPropertyValues(
                        "lease.store=" + store,
                        "lease.state.store=" + state,
                        "lease.file.path=" + directory.resolve("lease"),
                        "spring.data.redis.username=app",
                        "spring.data.redis.password=secret")
                .run(context -> {
                    FailureAnalysis analysis = new UnsuitableStoreFailureAnalyzer()
                            .analyze(Objects.requireNonNull(context.getStartupFailure()));
                    assertThat(Objects.requireNonNull(analysis).getDescription())
                            .startsWith(what + " redis://127.0.0.1:")
                            .contains("NOPERM");
                    assertThat(analysis.getAction()).contains("HSET");
                });
    }

    @Test
    void aServerThatIsSilentHoldsUpTheStartForSecondsOnly() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            long begunNs = System.nanoTime();
            runner().withPropertyValues(
                            "lease.ttl=10m",
                            "spring.data.redis.host=127.0.0.1",
                            "spring.data.redis.port=" + silent.getLocalPort())
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(Duration.ofNanos(System.nanoTime() - begunNs))
                                .as("less than one call's time")
                                .isLessThan(Duration.ofSeconds(50));
                        silent.close();
                    });
        }
    }

    @Test
    void theStateMayBeInRedisAloneAndTheLeaseInFiles() {
        runner().withPropertyValues(
                        "lease.store=file", "lease.file.path=" + directory.resolve("lease"), "lease.state.store=redis")
                .run(context -> {
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                    assertThat(context.getBean(StateStore.class)).isInstanceOf(RedisStateStore.class);
                    assertThat(SERVER.command("EXISTS", "lease:{orders}:state")).isEqualTo(":1");
                    assertThat(SERVER.command("EXISTS", "lease:{orders}:lease")).isEqualTo(":0");
                });
    }

    @Test
    void severalLeasesHaveKeysOfTheirOwn() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        LeaseAutoConfiguration.class,
                        LeaseRedisStoreAutoConfiguration.class))
                .withPropertyValues("lease.store=redis", "lease.leases.orders.ttl=3s", "lease.leases.bills.ttl=3s")
                .withPropertyValues(SERVER.properties())
                .run(context -> {
                    await().until(() -> context.getBeansOfType(LeaderLease.class).values().stream()
                            .allMatch(LeaderLease::isHeld));
                    assertThat(SERVER.command("EXISTS", "lease:{orders}:lease", "lease:{bills}:lease"))
                            .isEqualTo(":2");
                    assertThat(context.getBeansOfType(RedisConnections.class)).hasSize(1);
                });
    }

    @Test
    void withoutAFactoryOfLettuceTheStartIsRefused() {
        refused(
                new ApplicationContextRunner()
                        .withConfiguration(AutoConfigurations.of(
                                LeaseAutoConfiguration.class, LeaseRedisStoreAutoConfiguration.class))
                        .withPropertyValues("lease.name=orders", "lease.store=redis"),
                "LettuceConnectionFactory");
        refused(runner().withClassLoader(new FilteredClassLoader("io.lettuce")), "LettuceConnectionFactory");
    }

    private static void refused(ApplicationContextRunner runner, String... said) {
        runner.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(LeaseConfigurationException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(said)));
    }

    private static LettuceConnectionFactory factory() {
        return new LettuceConnectionFactory("127.0.0.1", SERVER.port());
    }

    private static ApplicationContextRunner withTwoFactories() {
        return runner().withBean("one", LettuceConnectionFactory.class, LeaseRedisStoreTest::factory)
                .withBean("two", LettuceConnectionFactory.class, LeaseRedisStoreTest::factory);
    }

    @Test
    void ofSeveralFactoriesOneIsPrimaryOrNamed() {
        refused(withTwoFactories(), "none of them is primary", "lease.redis.connection-factory");
        refused(
                withTwoFactories().withPropertyValues("lease.redis.connection-factory=three"),
                "'three'",
                "LettuceConnectionFactory");
        withTwoFactories()
                .withPropertyValues("lease.redis.connection-factory=two")
                .run(context -> await().until(context.getBean(LeaderLease.class)::isHeld));
        withTwoFactories()
                .withPropertyValues("lease.store=file", "lease.file.path=" + directory.resolve("files"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whatIsNotSupportedIsRefusedAtTheStart() {
        refused(
                runner().withBean(
                                LettuceConnectionFactory.class,
                                () -> new LettuceConnectionFactory(
                                        new RedisClusterConfiguration().clusterNode("127.0.0.1", SERVER.port()))),
                "cluster");
        refused(runner().withPropertyValues("lease.redis.key-prefix={x}"), "lease.redis.key-prefix", "braces");
        refused(
                runner().withPropertyValues("spring.data.redis.masterreplica.nodes=127.0.0.1:1,127.0.0.1:2"),
                "which node is the master");
    }
}
