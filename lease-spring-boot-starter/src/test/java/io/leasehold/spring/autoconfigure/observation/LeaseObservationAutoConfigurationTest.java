package io.leasehold.spring.autoconfigure.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeaseOperation;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.spring.autoconfigure.LeaseAutoConfiguration;
import io.leasehold.spring.observation.DefaultLeaseObservationConvention;
import io.leasehold.spring.observation.LeaseObservationConvention;
import io.leasehold.spring.observation.LeaseObservations;
import io.leasehold.spring.observation.LeaseTimers;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistryAssert;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Collection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class LeaseObservationAutoConfigurationTest {
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final SimpleMeterRegistry simple = new SimpleMeterRegistry();

    private final ApplicationContextRunner alone = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LeaseAutoConfiguration.class,
                    LeaseObservationAutoConfiguration.class,
                    LeaseTimersAutoConfiguration.class))
            .withBean(LeaseStore.class, MemoryLeaseStore::new)
            .withBean(StateStore.class, MemoryStateStore::new)
            .withPropertyValues("lease.name=orders", "lease.renew-interval=150ms");

    private final ApplicationContextRunner boot = alone.withConfiguration(AutoConfigurations.of(
            ObservationAutoConfiguration.class,
            MetricsAutoConfiguration.class,
            CompositeMeterRegistryAutoConfiguration.class));

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        prometheus.throwExceptionOnRegistrationFailure();
    }

    @AfterEach
    void reset() {
        Awaitility.reset();
    }

    private static long renewals(MeterRegistry registry) {
        Collection<Timer> timers =
                registry.get("lease.renew").tag("outcome", "confirmed").timers();
        assertThat(timers).as("timers of one outcome").hasSize(1);
        return timers.iterator().next().count();
    }

    private void renewsAndNothingIsCountedTwice(BeanFactory context, MeterRegistry registry) {
        LeaderLease lease = context.getBean(LeaderLease.class);
        await().until(() -> renewals(registry) > 1);
        assertThat(registry.get("lease.acquire")
                        .tag("outcome", "acquired")
                        .timer()
                        .count())
                .isOne();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void springBootsHandlerRecordsInTheTimersThatAreThere() {
        boot.withBean("prometheus", MeterRegistry.class, () -> prometheus).run(context -> {
            assertThat(prometheus.scrape()).contains("lease_drain_seconds_count{error=\"none\"");
            renewsAndNothingIsCountedTwice(context, prometheus);
        });
    }

    @Test
    void severalMeterRegistriesAllHaveTheTimers() {
        boot.withBean("prometheus", MeterRegistry.class, () -> prometheus)
                .withBean("simple", MeterRegistry.class, () -> simple)
                .run(context -> {
                    renewsAndNothingIsCountedTwice(context, prometheus);
                    renewsAndNothingIsCountedTwice(context, simple);
                });
    }

    @Test
    void commonKeysOfTheApplicationsObservationsAreOnEveryTimer() {
        boot.withPropertyValues("management.observations.key-values.region=north")
                .withBean("prometheus", MeterRegistry.class, () -> prometheus)
                .run(context -> {
                    renewsAndNothingIsCountedTwice(context, prometheus);
                    assertThat(prometheus.get("lease.renew").timers())
                            .allSatisfy(timer ->
                                    assertThat(timer.getId().getTag("region")).isEqualTo("north"));
                });
    }

    @Test
    void whatIsTurnedOffIsNotObservedAndHasNoTimer() {
        boot.withPropertyValues("management.observations.enable.lease.renew=false")
                .withBean("simple", MeterRegistry.class, () -> simple)
                .run(context -> {
                    await().until(() -> simple.get("lease.start")
                                    .tag("outcome", "started")
                                    .timer()
                                    .count()
                            == 1);
                    assertThat(simple.find("lease.renew").timer()).isNull();
                });
    }

    @Test
    void withoutARegistryOfObservationsThereAreTimersAllTheSame() {
        alone.withBean("prometheus", MeterRegistry.class, () -> prometheus).run(context -> {
            assertThat(context).doesNotHaveBean(ObservationRegistry.class);
            renewsAndNothingIsCountedTwice(context, prometheus);
        });
    }

    @Test
    void withoutSpringBootsHandlerThereAreTimersAllTheSame() {
        alone.withBean("prometheus", MeterRegistry.class, () -> prometheus)
                .withBean("simple", MeterRegistry.class, () -> simple)
                .withConfiguration(AutoConfigurations.of(ObservationAutoConfiguration.class))
                .run(context -> {
                    renewsAndNothingIsCountedTwice(context, prometheus);
                    renewsAndNothingIsCountedTwice(context, simple);
                });
    }

    @Test
    void withoutMetersTheRegistryOfObservationsIsUsed() {
        TestObservationRegistry observations = TestObservationRegistry.create();
        alone.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
                .withBean(ObservationRegistry.class, () -> observations)
                .run(context -> {
                    assertThat(context).hasSingleBean(LeaseObservations.class).doesNotHaveBean("leaseTimers");
                    await().untilAsserted(() -> TestObservationRegistryAssert.assertThat(observations)
                            .hasObservationWithNameEqualTo("lease.start"));
                });
    }

    @Test
    void withoutAnyRegistryNothingIsObserved() {
        alone.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseObservations.class));
    }

    @Test
    void withoutMicrometerNothingIsObserved() {
        alone.withClassLoader(new FilteredClassLoader("io.micrometer"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LeaseObservations.class)
                        .doesNotHaveBean(LeaseTimers.class));
    }

    @Test
    void withoutALeaseNothingIsObserved() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaseObservationAutoConfiguration.class,
                        LeaseTimersAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        MetricsAutoConfiguration.class))
                .withBean("simple", MeterRegistry.class, () -> simple)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(LeaseObservations.class)
                        .doesNotHaveBean(LeaseTimers.class));
    }

    @Test
    void beansThatAreMadeLateDoNotComeTooLateForTheLease() {
        boot.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean("simple", MeterRegistry.class, () -> simple)
                .run(context -> {
                    assertThat(context.getBeanFactory().containsSingleton("leaseObservations"))
                            .isTrue();
                });
    }

    @Test
    void aConventionOfTheApplicationNamesObservationsAndTimers() {
        boot.withBean("prometheus", MeterRegistry.class, () -> prometheus)
                .withBean(LeaseObservationConvention.class, () -> new DefaultLeaseObservationConvention() {
                    @Override
                    public String getName(LeaseOperation operation) {
                        return "shop." + super.getName(operation);
                    }
                })
                .run(context -> {
                    await().until(() -> prometheus
                                    .get("shop.lease.start")
                                    .tag("outcome", "started")
                                    .timer()
                                    .count()
                            == 1);
                    assertThat(prometheus.find("lease.start").timer()).isNull();
                    assertThat(prometheus.get("shop.lease.start").timers())
                            .hasSameSizeAs(LeaseOperation.START.outcomes())
                            .isNotEmpty();
                });
    }

    @Test
    void observationsOfTheApplicationsOwnComeFirst() {
        LeaseObservations own = new LeaseObservations(ObservationRegistry.create(), null);
        boot.withBean("simple", MeterRegistry.class, () -> simple)
                .withBean("own", LeaseObservations.class, () -> own)
                .run(context ->
                        assertThat(context.getBean(LeaseObservations.class)).isSameAs(own));
    }
}
