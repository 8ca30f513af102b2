package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.store.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

class LeaderOnlyTest {
    @TempDir
    Path directory;

    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final LeaderLease other = new LeaderLease(LeaderLifecycleTest.SETTINGS, store, null);

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void closeOther() {
        other.close();
        Awaitility.reset();
    }

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues(Replica.SHORT)
                .withBean(LeaseStore.class, () -> store);
    }

    @Test
    void aMethodRunsOnTheHolderOnly() {
        leadElsewhere();
        runner().withBean(Work.class).run(standby -> {
            Work work = standby.getBean(Work.class);
            work.run();
            assertThat(work.find()).isEmpty();
            assertThat(work.calls()).isZero();
            assertThat(listeners(standby).skippedCalls()).isEqualTo(2);

            other.close();
            await().until(standby.getBean(LeaderLease.class)::isHeld);
            work.run();
            assertThat(work.find()).contains("found");
            assertThat(work.calls()).isEqualTo(2);
            assertThat(listeners(standby).skippedCalls()).isEqualTo(2);
        });
    }

    @Test
    void aScheduledMethodRunsOnTheHolderOnly() {
        leadElsewhere();
        runner().withUserConfiguration(Scheduling.class)
                .withBean(ScheduledWork.class)
                .run(standby -> {
                    ScheduledWork work = standby.getBean(ScheduledWork.class);
                    await().until(() -> listeners(standby).skippedCalls() > 3);
                    assertThat(work.calls()).isZero();

                    other.close();
                    await().until(() -> work.calls() > 3);
                });
    }

    @Test
    void theLeaseIsNotReleasedBeforeACallReturns() {
        CountDownLatch proceed = new CountDownLatch(1);
        runner().withBean(Work.class).withUserConfiguration(Asynchronous.class).run(leader -> {
            LeaderLease lease = leader.getBean(LeaderLease.class);
            Work work = leader.getBean(Work.class);
            await().until(lease::isHeld);
            work.runAsynchronously(proceed);
            await().until(() -> work.calls() == 1);
            other.start();

            lease.stepDown();
            await().until(() -> listeners(leader).status().stage() == ListenersStage.STOPPING);
            assertThat(listeners(leader).status().inFlight()).isEqualTo(1);
            assertThat(other.isHeld()).isFalse();
            work.run();
            assertThat(work.calls()).isEqualTo(1);

            proceed.countDown();
            await().until(other::isHeld);
            assertThat(work.finished()).isEqualTo(1);
        });
    }

    @Test
    void aCallMayStepDown() {
        runner().withBean(Work.class).run(leader -> {
            LeaderLease lease = leader.getBean(LeaderLease.class);
            await().until(lease::isHeld);
            other.start();
            leader.getBean(Work.class).give(lease::stepDown);
            await().until(other::isHeld);
        });
    }

    @Test
    void ofSeveralLeasesTheNamedOneCounts() {
        severalLeases().withBean(OrdersWork.class).run(context -> {
            LeaderLease orders = context.getBean("ordersLease", LeaderLease.class);
            OrdersWork work = context.getBean(OrdersWork.class);
            await().until(orders::isHeld);
            work.run();
            assertThat(work.calls()).isEqualTo(1);

            orders.stepDown();
            await().until(() -> !orders.isHeld());
            assertThat(context.getBean("invoicesLease", LeaderLease.class).isHeld())
                    .isTrue();
            work.run();
            assertThat(work.calls()).isEqualTo(1);
        });
    }

    @Test
    void whichOfSeveralLeasesHasToBeSaid() {
        severalLeases()
                .withBean(Work.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(UnsuitableListenerException.class)
                        .hasMessageContaining("Work.")
                        .hasMessageContaining("names no lease"));
        runner().withBean(OrdersWork.class)
                .withPropertyValues("lease.name=invoices")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("names the lease 'orders', and the leases are [invoices]"));
    }

    @Test
    void whatWouldHaveNoEffectIsRefused() {
        for (Class<?> type : List.of(PrivateWork.class, FinalWork.class, FinalMethod.class, StaticMethod.class)) {
            runner().withBean(type)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(UnsuitableListenerException.class)
                            .hasMessageContaining("has no effect"));
        }
    }

    @Test
    void aMethodThatHasToReturnSomethingIsRefused() {
        runner().withBean(Returning.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining("Returning.count, which returns int"));
    }

    @Test
    void aTestCanHaveSuchMethodsRunAlways() {
        leadElsewhere();
        runner().withBean(Work.class)
                .withPropertyValues("lease.leader-only.enabled=false")
                .run(standby -> {
                    standby.getBean(Work.class).run();
                    assertThat(standby.getBean(Work.class).calls()).isEqualTo(1);
                });
    }

    private ApplicationContextRunner severalLeases() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class))
                .withPropertyValues(
                        "lease.file.path=" + directory, "lease.leases.orders.ttl=20s", "lease.leases.invoices.ttl=20s");
    }

    private static LeaseListeners listeners(AssertableApplicationContext context) {
        return context.getBean(LeaseListeners.class);
    }

    private void leadElsewhere() {
        other.start();
        await().until(other::isHeld);
    }

    static class Work {
        private final AtomicInteger calls = new AtomicInteger();
        private final AtomicInteger finished = new AtomicInteger();

        @LeaderOnly
        public void run() {
            calls.incrementAndGet();
        }

        @LeaderOnly
        public Optional<String> find() {
            calls.incrementAndGet();
            return Optional.of("found");
        }

        @LeaderOnly
        void give(Runnable action) {
            action.run();
        }

        @Async
        @LeaderOnly
        public void runAsynchronously(CountDownLatch proceed) {
            calls.incrementAndGet();
            try {
                proceed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            finished.incrementAndGet();
        }

        public int calls() {
            return calls.get();
        }

        public int finished() {
            return finished.get();
        }
    }

    static class ScheduledWork {
        private final AtomicInteger calls = new AtomicInteger();

        @LeaderOnly
        @Scheduled(fixedDelay = 20)
        public void run() {
            calls.incrementAndGet();
        }

        public int calls() {
            return calls.get();
        }
    }

    static class OrdersWork {
        private final AtomicInteger calls = new AtomicInteger();

        @LeaderOnly("orders")
        public void run() {
            calls.incrementAndGet();
        }

        public int calls() {
            return calls.get();
        }
    }

    static class PrivateWork {
        @LeaderOnly
        @SuppressWarnings("UnusedMethod")
        private void run() {}
    }

    static final class FinalWork {
        @LeaderOnly
        public void run() {}
    }

    static class FinalMethod {
        @LeaderOnly
        public final void run() {}
    }

    static class StaticMethod {
        @LeaderOnly
        public static void run() {}
    }

    static class Returning {
        @LeaderOnly
        public int count() {
            return 1;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    static class Scheduling {}

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Asynchronous {}
}
