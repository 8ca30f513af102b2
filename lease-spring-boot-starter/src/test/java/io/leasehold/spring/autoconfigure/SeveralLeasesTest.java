package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseSettings;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.spring.LeaseListeners;
import io.leasehold.spring.LeaseStores;
import io.leasehold.spring.Poller;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

class SeveralLeasesTest {

    @TempDir
    Path directory;

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void resetTimeout() {
        Awaitility.reset();
    }

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues("lease.file.path=" + directory, "lease.ttl=20s", "lease.renew-interval=2s");
    }

    @Test
    void eachLeaseHasItsOwnDirectoryStateAndHolder() {
        runner().withPropertyValues("lease.leases.orders.ttl=30s", "lease.leases.invoices.ttl=30s")
                .run(context -> {
                    await().until(lease(context, "orders")::isHeld);
                    await().until(lease(context, "invoices")::isHeld);
                    state(context, "orders").commit("a", "1");
                    assertThat(state(context, "invoices").get("a")).isEmpty();
                    assertThat(directory.resolve("orders/state")).isDirectory();
                    assertThat(directory.resolve("invoices/state")).isDirectory();

                    lease(context, "orders").stepDown();
                    await().until(() -> !lease(context, "orders").isHeld());
                    assertThat(lease(context, "invoices").isHeld()).isTrue();
                });
    }

    @Test
    void storesAreClosedWithTheContextAfterTheirLeases() {
        List<String> closed = new CopyOnWriteArrayList<>();
        List<LeaderLease> leases = new ArrayList<>();
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues("lease.leases.orders.ttl=30s", "lease.leases.invoices.ttl=30s")
                .withBean(LeaseStores.class, () -> new ClosingStores(closed, leases))
                .run(context -> {
                    leases.add(lease(context, "orders"));
                    leases.add(lease(context, "invoices"));
                    leases.forEach(lease -> await().until(lease::isHeld));
                    assertThat(closed).isEmpty();
                });
        assertThat(closed).containsExactlyInAnyOrder("orders CLOSED", "invoices CLOSED");
    }

    /** Leases whose stores tell how their lease stands when they are closed. */
    private record ClosingStores(List<String> closed, List<LeaderLease> leases) implements LeaseStores {

        @Override
        public LeaseStore leaseStore(LeaseSettings settings) {
            return new ClosingStore(
                    new MemoryLeaseStore(),
                    () -> closed.add(settings.name() + " "
                            + leases.stream()
                                    .filter(lease -> lease.settings().name().equals(settings.name()))
                                    .map(lease -> lease.status().phase().name())
                                    .findFirst()
                                    .orElseThrow()));
        }

        @Override
        public Optional<StateStore> stateStore(LeaseSettings settings) {
            return Optional.empty();
        }
    }

    private record ClosingStore(LeaseStore store, Runnable onClose) implements LeaseStore, AutoCloseable {

        @Override
        public LeaseSnapshot read() throws LeaseStoreException {
            return store.read();
        }

        @Override
        public void initialize() throws LeaseStoreException {
            store.initialize();
        }

        @Override
        public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
            return store.replace(expected, next);
        }

        @Override
        public String location() {
            return store.location();
        }

        @Override
        public void close() {
            onClose.run();
        }
    }

    @Test
    void whatIsNotSaidForOneIsInherited() {
        runner().withPropertyValues(
                        "lease.holder-id=replica-a",
                        "lease.start-attempts=2",
                        "lease.leases.orders.renew-interval=1s",
                        "lease.leases.orders.file.path=" + directory.resolve("elsewhere"),
                        "lease.leases.invoices.holder-id=other",
                        "lease.leases.invoices.drain-timeout=3s")
                .run(context -> {
                    LeaseSettings orders = lease(context, "orders").settings();
                    assertThat(orders.name()).isEqualTo("orders");
                    assertThat(orders.holderPrefix()).isEqualTo("replica-a");
                    assertThat(orders.ttl()).isEqualTo(Duration.ofSeconds(20));
                    assertThat(orders.renewInterval()).isEqualTo(Duration.ofSeconds(1));
                    LeaseSettings invoices = lease(context, "invoices").settings();
                    assertThat(invoices.holderPrefix()).isEqualTo("other");
                    assertThat(invoices.renewInterval()).isEqualTo(Duration.ofSeconds(2));
                    assertThat(invoices.drainTimeout()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(directory.resolve("elsewhere")).isDirectory();
                    assertThat(directory.resolve("invoices")).isDirectory();
                });
    }

    @Test
    void eachLeaseIsInjectedByItsName() {
        runner().withPropertyValues("lease.leases.orders.ttl=30s", "lease.leases.invoices.ttl=30s")
                .withBean(Injected.class)
                .run(context -> {
                    Injected injected = context.getBean(Injected.class);
                    assertThat(injected.orders.settings().name()).isEqualTo("orders");
                    assertThat(injected.orderState).isNotSameAs(injected.invoiceState);
                    assertThatExceptionOfType(NoUniqueBeanDefinitionException.class)
                            .isThrownBy(() -> context.getBean(LeaderLease.class));
                });
    }

    @Test
    void aSingleNamedLeaseNeedsNoQualifier() {
        runner().withPropertyValues("lease.leases.orders.ttl=30s").run(context -> {
            await().until(context.getBean(LeaderLease.class)::isHeld);
            context.getBean(LeaderState.class).commit("a", "1");
        });
    }

    @Test
    void eachLeaseHasOnlyTheListenersThatAreNamedForIt() {
        Poller orders = new Poller();
        Poller invoices = new Poller();
        runner().withPropertyValues(
                        "lease.leases.orders.listeners=first",
                        "lease.leases.invoices.listeners=second",
                        "lease.leases.reports.ttl=30s")
                .withBean("first", Poller.class, () -> orders)
                .withBean("second", Poller.class, () -> invoices)
                .run(context -> {
                    await().until(() -> orders.isRunning() && invoices.isRunning());
                    lease(context, "orders").stepDown();
                    await().until(() -> !orders.isRunning());
                    assertThat(invoices.isRunning()).isTrue();
                    assertThat(bean(context, LeaseListeners.class, "reports")
                                    .status()
                                    .running())
                            .isEmpty();
                });
    }

    @Test
    void oneListenerCannotFollowTwoLeases() {
        runner().withPropertyValues("lease.leases.orders.listeners=first", "lease.leases.invoices.listeners=first")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("The listener 'first' follows two leases")
                        .hasMessageContaining("orders")
                        .hasMessageContaining("invoices"));
    }

    @Test
    void oneRoleCannotFollowTwoLeases() {
        runner().withPropertyValues(
                        "lease.leases.orders.start-attempts=1", "lease.leases.invoices.integration-role=orders")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("The role of Spring Integration 'orders' follows two leases"));
    }

    @Test
    void whatCannotBeInheritedIsRefused() {
        for (String property : List.of("lease.listeners", "lease.integration-role")) {
            runner().withPropertyValues("lease.leases.orders.start-attempts=1", property + "=first")
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining(property + " is set beside lease.leases"));
        }
    }

    @Test
    void aNameNeverBecomesAPathUnchecked() {
        Path leases = directory.resolve("leases");
        runner().withPropertyValues("lease.file.path=" + leases, "lease.leases[../orders].ttl=30s")
                .run(context -> {
                    assertThat(context)
                            .getFailure()
                            .rootCause()
                            .hasMessageContaining("'../orders' has no directory")
                            .hasMessageContaining("file.path");
                    assertThat(Files.exists(directory.resolve("orders"))).isFalse();
                });
    }

    @Test
    void aValueThatBreaksARuleIsNamedWhereItWasSaid() {
        runner().withPropertyValues("lease.leases.orders.ttl=soon")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("soon"));
        runner().withPropertyValues("lease.leases.orders.renew-interval=19s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("lease.leases.orders.renew-interval, set to '19s'"));
        runner().withPropertyValues("lease.renew-interval=18s", "lease.leases.orders.start-attempts=2")
                .run(context ->
                        assertThat(context).getFailure().hasStackTraceContaining("lease.renew-interval, set to '18s'"));
        runner().withPropertyValues("lease.leases.orders.start-attempts=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("lease.leases.orders.start-attempts is 0"));
    }

    @Test
    void oneLeaseWhoseStoreHangsDoesNotDisturbAnother() {
        CountDownLatch hang = new CountDownLatch(1);
        runner().withPropertyValues("lease.leases.orders.ttl=30s", "lease.leases.invoices.ttl=30s")
                .withBean(LeaseStores.class, () -> new MemoryStores("orders", hang))
                .run(context -> {
                    await().until(lease(context, "invoices")::isHeld);
                    lease(context, "invoices").stepDown();
                    await().until(() -> !lease(context, "invoices").isHeld());
                    assertThat(lease(context, "orders").isHeld()).isFalse();
                    hang.countDown();
                    await().until(lease(context, "orders")::isHeld);
                });
    }

    @Test
    void aLeaseWithoutStateHasNoneToInject() {
        runner().withPropertyValues("lease.leases.orders.ttl=30s")
                .withBean(LeaseStores.class, () -> new MemoryStores("none", new CountDownLatch(0)))
                .run(context -> {
                    await().until(lease(context, "orders")::isHeld);
                    assertThat(context).hasNotFailed();
                });
    }

    @Test
    void threadsDoNotGrowWithTheNumberOfLeases() {
        String[] leases = IntStream.range(0, 200)
                .mapToObj(i -> "lease.leases.lease-" + i + ".ttl=60s")
                .toArray(String[]::new);
        long before = Thread.activeCount();
        runner().withPropertyValues("lease.renew-interval=10s")
                .withPropertyValues(leases)
                .withBean(LeaseStores.class, () -> new MemoryStores("none", new CountDownLatch(0)))
                .run(context -> {
                    Map<String, LeaderLease> all = context.getBeansOfType(LeaderLease.class);
                    assertThat(all).hasSize(200);
                    await().until(() -> all.values().stream().allMatch(LeaderLease::isHeld));
                    await().untilAsserted(() ->
                            assertThat(Thread.activeCount() - before).isLessThan(50));
                });
    }

    private static LeaderLease lease(ApplicationContext context, String name) {
        return bean(context, LeaderLease.class, name);
    }

    private static LeaderState state(ApplicationContext context, String name) {
        return bean(context, LeaderState.class, name);
    }

    private static <T> T bean(ApplicationContext context, Class<T> type, String name) {
        return BeanFactoryAnnotationUtils.qualifiedBeanOfType(context.getAutowireCapableBeanFactory(), type, name);
    }

    static final class Injected {
        private final LeaderLease orders;
        private final LeaderState orderState;
        private final LeaderState invoiceState;

        Injected(
                @Qualifier("orders") LeaderLease orders,
                @Qualifier("orders") LeaderState orderState,
                @Qualifier("invoices") LeaderState invoiceState) {
            this.orders = orders;
            this.orderState = orderState;
            this.invoiceState = invoiceState;
        }
    }

    /** Leases in memory without state; that of one name hangs until the latch opens. */
    record MemoryStores(String hanging, CountDownLatch hang) implements LeaseStores {

        @Override
        public LeaseStore leaseStore(LeaseSettings settings) {
            MemoryLeaseStore store = new MemoryLeaseStore();
            return settings.name().equals(hanging) ? new HangingStore(store, hang) : store;
        }

        @Override
        public Optional<StateStore> stateStore(LeaseSettings settings) {
            return Optional.empty();
        }
    }

    record HangingStore(LeaseStore store, CountDownLatch hang) implements LeaseStore {

        @Override
        public LeaseSnapshot read() {
            try {
                hang.await();
                return store.read();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void initialize() {}

        @Override
        public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) {
            try {
                return store.replace(expected, next);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String location() {
            return "hanging";
        }
    }
}
