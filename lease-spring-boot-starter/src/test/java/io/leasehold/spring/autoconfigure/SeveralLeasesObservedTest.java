package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.spring.autoconfigure.health.LeaderHealthAutoConfiguration;
import io.leasehold.spring.autoconfigure.health.LeaseHealthAutoConfiguration;
import io.leasehold.spring.autoconfigure.info.LeaseInfoAutoConfiguration;
import io.leasehold.spring.autoconfigure.metrics.LeaseMetricsAutoConfiguration;
import io.leasehold.spring.autoconfigure.observation.LeaseObservationAutoConfiguration;
import io.leasehold.spring.autoconfigure.observation.LeaseTimersAutoConfiguration;
import io.leasehold.spring.info.LeaseInfoContributor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Several leases of one application are told apart in the meters, in the health and in the info. */
class SeveralLeasesObservedTest {
    private final PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @TempDir
    Path directory;

    private ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        LeaseAutoConfiguration.class,
                        LeaseHealthAutoConfiguration.class,
                        LeaderHealthAutoConfiguration.class,
                        LeaseInfoAutoConfiguration.class,
                        LeaseMetricsAutoConfiguration.class,
                        LeaseObservationAutoConfiguration.class,
                        LeaseTimersAutoConfiguration.class,
                        ObservationAutoConfiguration.class,
                        MetricsAutoConfiguration.class))
                .withBean(MeterRegistry.class, () -> prometheus)
                .withPropertyValues(
                        "lease.file.path=" + directory,
                        "lease.leases.orders.ttl=30s",
                        "lease.leases.invoices.ttl=30s",
                        "management.health.leader.enabled=true");
    }

    @Test
    void eachLeaseHasItsMetersAndItsTimersUnderItsName() {
        prometheus.throwExceptionOnRegistrationFailure();
        runner().run(context -> {
            assertThat(context).hasNotFailed();
            for (String name : List.of("orders", "invoices")) {
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> prometheus
                                        .get("lease.start")
                                        .tags("name", name, "outcome", "started")
                                        .timer()
                                        .count()
                                == 1);
                assertThat(prometheus
                                .get("lease.role")
                                .tag("name", name)
                                .gauge()
                                .value())
                        .isEqualTo(1);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"leaseHealthIndicator", "leaseLeaderHealthIndicator"})
    void theHealthHasAPartForEach(String health) {
        runner().run(context -> assertThat(context.getBean(health, CompositeHealthContributor.class).stream())
                .extracting(HealthContributors.Entry::name)
                .containsExactlyInAnyOrder("orders", "invoices"));
    }

    @Test
    void theInfoListsThem() {
        runner().run(context -> {
            Info.Builder info = new Info.Builder();
            context.getBean(LeaseInfoContributor.class).contribute(info);
            assertThat(info.build().getDetails().get("lease"))
                    .asInstanceOf(InstanceOfAssertFactories.list(Map.class))
                    .extracting(details -> details.get("name"))
                    .containsExactlyInAnyOrder("orders", "invoices");
            assertThat(context.getBeansOfType(LeaderLease.class)).hasSize(2);
        });
    }
}
