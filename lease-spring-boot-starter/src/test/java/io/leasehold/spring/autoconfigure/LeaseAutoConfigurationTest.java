package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.spring.LeaderLifecycle;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.RedisGuards;
import io.leasehold.spring.autoconfigure.health.LeaseHealthAutoConfiguration;
import io.leasehold.spring.autoconfigure.metrics.LeaseMetricsAutoConfiguration;
import io.leasehold.spring.health.LeaseHealthIndicator;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;

class LeaseAutoConfigurationTest {

    @TempDir
    Path directory;

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaseAutoConfiguration.class,
                        LeaseRedisAutoConfiguration.class,
                        LeaseMetricsAutoConfiguration.class,
                        LeaseHealthAutoConfiguration.class))
                .withPropertyValues("spring.application.name=orders", "lease.file.path=" + directory.resolve("lease"));
    }

    @Test
    void theNameAndThePathAreEnoughToLead() {
        runner().run(context -> {
            LeaderLease lease = context.getBean(LeaderLease.class);
            await().until(lease::isHeld);
            assertThat(lease.settings())
                    .isEqualTo(LeaseSettings.builder("orders").build());
            assertThat(context.getBean(LeaseStore.class)).isInstanceOf(FileLeaseStore.class);
            assertThat(context.getBean(StateStore.class)).isInstanceOf(FileStateStore.class);
            context.getBean(LeaderState.class).commit("a", "1");
            assertThat(directory.resolve("lease/state")).isDirectory();
        });
    }

    @Test
    void everyPropertyReachesTheSettings() {
        runner().withPropertyValues(
                        "lease.name=other",
                        "lease.holder-id=replica-a",
                        "lease.ttl=20s",
                        "lease.renew-interval=PT2S",
                        "lease.drain-timeout=4s",
                        "lease.verify-delay=300ms",
                        "lease.max-clock-skew=2m",
                        "lease.state.path=" + directory.resolve("elsewhere"))
                .run(context -> {
                    LeaderLease lease = context.getBean(LeaderLease.class);
                    assertThat(lease.settings())
                            .isEqualTo(new LeaseSettings(
                                    "other",
                                    "replica-a",
                                    Duration.ofSeconds(20),
                                    Duration.ofSeconds(2),
                                    Duration.ofSeconds(4),
                                    Duration.ofMillis(300),
                                    Duration.ofMinutes(2)));
                    assertThat(lease.status().holder()).startsWith("replica-a-");
                    await().until(lease::isHeld);
                    assertThat(directory.resolve("elsewhere")).isDirectory();
                });
    }

    @Test
    void aZeroDrainTimeoutNeedsNoUnit() {
        runner().withPropertyValues("lease.drain-timeout=0")
                .run(context -> assertThat(context.getBean(LeaseSettings.class).drainTimeout())
                        .isZero());
    }

    @Test
    void theApplicationsOwnLeaseStoreWins() {
        MemoryLeaseStore own = new MemoryLeaseStore();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues("lease.name=orders")
                .withBean(LeaseStore.class, () -> own)
                .run(context -> {
                    assertThat(context.getBean(LeaseStore.class)).isSameAs(own);
                    assertThat(context).doesNotHaveBean(StateStore.class).doesNotHaveBean(LeaderState.class);
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                });
    }

    @Test
    void aLeaseMayHaveNoState() {
        runner().withPropertyValues("lease.state.store=none").run(context -> {
            assertThat(context).doesNotHaveBean(StateStore.class).doesNotHaveBean(LeaderState.class);
            await().until(context.getBean(LeaderLease.class)::isHeld);
        });
    }

    @Test
    void theOnlyInstanceMayHaveNoState() {
        runner().withPropertyValues("lease.state.store=none", "lease.enabled=false")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(StateStore.class);
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                });
    }

    @Test
    void theStateMayBeKeptInFilesBesideALeaseThatIsKeptElsewhere() {
        Path state = directory.resolve("state-alone");
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues(
                        "lease.name=orders", "lease.store=other", "lease.state.store=file", "lease.state.path=" + state)
                .withBean(StoreBackEnd.class, OtherBackEnd::new)
                .run(context -> {
                    assertThat(context.getBean(StateStore.class)).isInstanceOf(FileStateStore.class);
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                    assertThat(state).isDirectory();
                });
    }

    @Test
    void theStateIsKeptWithTheLeaseWhereNothingElseIsSaid() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues("lease.name=orders", "lease.store=other")
                .withBean(StoreBackEnd.class, OtherBackEnd::new)
                .run(context -> assertThat(context.getBean(StateStore.class)).isInstanceOf(MemoryStateStore.class));
    }

    @Test
    void aStateInFilesHasAPathOfItsOwnWhereTheLeaseIsKeptElsewhere() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues(
                        "lease.name=orders",
                        "lease.store=other",
                        "lease.state.store=file",
                        "lease.file.path=" + directory)
                .withBean(StoreBackEnd.class, OtherBackEnd::new)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("lease.state.path is not set"));
    }

    /** A store beside those of this library. */
    private static final class OtherBackEnd implements StoreBackEnd {

        @Override
        public String store() {
            return "other";
        }

        @Override
        public LeaseStore leaseStore(LeaseSettings settings) {
            return new MemoryLeaseStore();
        }

        @Override
        public StateStore stateStore(LeaseSettings settings) {
            return new MemoryStateStore();
        }
    }

    @Test
    void theApplicationsOwnStateStoreWins() {
        MemoryStateStore own = new MemoryStateStore();
        runner().withBean(StateStore.class, () -> own).run(context -> {
            await().until(context.getBean(LeaderLease.class)::isHeld);
            context.getBean(LeaderState.class).commit("a", "1");
            assertThat(own.snapshot()).containsEntry("a", "1");
        });
    }

    @Test
    void theApplicationsOwnLeaseWins() {
        LeaderLease own = new LeaderLease(LeaseSettings.builder("own").build(), new MemoryLeaseStore(), null);
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaseAutoConfiguration.class,
                        LeaseMetricsAutoConfiguration.class,
                        LeaseHealthAutoConfiguration.class))
                .withBean(LeaderLease.class, () -> own)
                .run(context -> {
                    assertThat(context.getBean(LeaderLease.class)).isSameAs(own);
                    assertThat(context)
                            .doesNotHaveBean(LeaseSettings.class)
                            .doesNotHaveBean(LeaseStore.class)
                            .doesNotHaveBean(LeaderState.class)
                            .hasSingleBean(LeaderLifecycle.class)
                            .hasBean("leaseMetrics")
                            .hasSingleBean(LeaseHealthIndicator.class);
                    await().until(own::isHeld);
                });
    }

    @Test
    void theMetersBackOffWithoutMicrometer() {
        runner().withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LeaderLifecycle.class)
                        .doesNotHaveBean("leaseMetrics"));
    }

    @Test
    void theHealthBacksOffWithoutTheHealthModule() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LeaderLifecycle.class)
                        .doesNotHaveBean("leaseHealthIndicator"));
    }

    @Test
    void theHealthCanBeDisabled() {
        runner().withPropertyValues("management.health.lease.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseHealthIndicator.class));
    }

    @Test
    void itStartsWithoutActuator() {
        runner().withClassLoader(new FilteredClassLoader(
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "org.springframework.boot.micrometer",
                        "io.micrometer"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                });
    }

    @Test
    void itStartsWithoutJms() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.jms", "jakarta.jms"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.springframework.data.redis",
                "org.springframework.integration",
                "org.springframework.pulsar",
                "io.awspring"
            })
    void itStartsWithout(String packageOfATechnology) {
        runner().withClassLoader(new FilteredClassLoader(packageOfATechnology)).run(context -> {
            assertThat(context).hasNotFailed();
            await().until(context.getBean(LeaderLease.class)::isHeld);
        });
    }

    @Test
    void redisContainersHaveRoomForTheGuard() {
        runner().run(context -> assertThat(context).hasSingleBean(RedisGuards.class));
        runner().withPropertyValues("lease.enabled=false")
                .run(context -> assertThat(context).hasSingleBean(RedisGuards.class));
    }

    @Test
    void itStartsWithoutRabbit() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.amqp", "com.rabbitmq"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                });
    }

    @Test
    void itStartsWithoutKafka() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.kafka", "org.apache.kafka"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    await().until(context.getBean(LeaderLease.class)::isHeld);
                });
    }

    @Test
    void containersAreHeldBackFirstAndTheLeaseEndsBeforeClients() {
        runner().run(context -> {
            assertThat(context.getBean(LeaseListeners.class).getPhase()).isEqualTo(Integer.MIN_VALUE);
            assertThat(context.getBean(LeaderLifecycle.class).getPhase())
                    .isGreaterThan(0)
                    .isLessThan(SmartLifecycle.DEFAULT_PHASE / 2);
        });
    }
}
