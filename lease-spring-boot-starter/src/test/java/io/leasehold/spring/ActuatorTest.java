package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import io.leasehold.LeaseSettings;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.store.LeaseStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroup;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** What the actuator says over HTTP, with all of Spring Boot's own auto-configurations. */
class ActuatorTest {
    private static final String LEADER = "management.health.leader.enabled=true";

    private final MemoryLeaseStore store = new MemoryLeaseStore();

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void reset() {
        Awaitility.reset();
    }

    @Test
    void theLeaderGroupIsUpOnTheHolderAloneAndAStandbyStaysHealthy() throws Exception {
        try (Application holder = leading(LEADER);
                Application standby = new Application(store, LEADER)) {
            await().until(() -> standby.lease().status().epoch() == 1);

            assertThat(holder.get("/health/leader").statusCode()).isEqualTo(200);
            assertThat(holder.get("/health/leader").body())
                    .contains("\"status\":\"UP\"", "\"leaseLeader\"", "\"role\":\"leader\"");
            assertThat(holder.get("/health").statusCode()).isEqualTo(200);

            assertThat(standby.get("/health/leader").statusCode()).isEqualTo(503);
            assertThat(standby.get("/health/leader").body())
                    .contains("\"status\":\"OUT_OF_SERVICE\"", "\"role\":\"standby\"");
            assertThat(standby.get("/health").statusCode()).isEqualTo(200);
            assertThat(standby.get("/health").body())
                    .contains("\"status\":\"UP\"", "\"lease\"", "\"role\":\"standby\"", "\"groups\":[", "\"leader\"")
                    .doesNotContain("leaseLeader", "OUT_OF_SERVICE");
        }
    }

    @Test
    void theLeaderGroupFollowsAHandOver() throws Exception {
        try (Application first = leading(LEADER);
                Application second = new Application(store, LEADER)) {
            first.lease().stepDown();
            await().until(() -> second.get("/health/leader").statusCode() == 200);
            assertThat(first.get("/health/leader").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void withoutBeingAskedForThereIsNoLeaderGroup() throws Exception {
        try (Application holder = leading()) {
            assertThat(holder.get("/health/leader").statusCode()).isEqualTo(404);
            assertThat(holder.get("/health").body()).doesNotContain("leader\"]", "leaseLeader");
        }
    }

    @Test
    void aLeaderGroupOfTheApplicationsOwnIsLeftAsItIs() throws Exception {
        try (Application standby = standby(LEADER, "management.endpoint.health.group.leader.include=lease")) {
            assertThat(standby.get("/health/leader").statusCode()).isEqualTo(200);
            assertThat(standby.get("/health/leader").body())
                    .contains("\"lease\"")
                    .doesNotContain("leaseLeader");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"liveness", "readiness"})
    void theLeaseIsNoPartOfTheProbes(String probe) throws Exception {
        try (Application standby = standby(LEADER, "management.endpoint.health.probes.enabled=true")) {
            assertThat(standby.get("/health/" + probe).statusCode()).isEqualTo(200);
            HealthEndpointGroup group = Objects.requireNonNull(standby.groups().get(probe));
            assertThat(List.of(probe + "State", "lease", "leaseLeader"))
                    .filteredOn(group::isMember)
                    .containsExactly(probe + "State");
        }
    }

    @Test
    void aManagementPortOfItsOwnServesHealthInfoAndMeters() throws Exception {
        try (Application holder = leading(LEADER, "management.server.port=0")) {
            assertThat(holder.port()).isNotEqualTo(holder.serverPort());
            assertThat(holder.get("/health").body()).contains("\"role\":\"leader\"");
            assertThat(holder.get("/health/leader").statusCode()).isEqualTo(200);
            assertThat(holder.get("/info").body())
                    .contains("\"lease\":{\"name\":\"orders\",\"holder\":\""
                            + holder.lease().status().holder() + "\",\"role\":\"leader\"}");
            await().until(() -> holder.get("/prometheus")
                    .body()
                    .lines()
                    .anyMatch(line -> line.startsWith(
                            "lease_start_seconds_count{error=\"none\",name=\"orders\",outcome=\"started\"} 1")));
            assertThat(holder.get("/prometheus").body())
                    .contains(
                            "lease_role{name=\"orders\"} 1.0",
                            "lease_drain_seconds_count{error=\"none\",name=\"orders\",outcome=\"released\"} 0",
                            "lease_handover_seconds_count{name=\"orders\"} 0");
        }
    }

    @Test
    void theInfoCanBeDisabled() throws Exception {
        try (Application holder = leading("management.info.lease.enabled=false")) {
            assertThat(holder.get("/info").body()).doesNotContain("orders");
        }
    }

    private Application leading(String... properties) {
        Application application = new Application(store, properties);
        await().until(application.lease()::isHeld);
        return application;
    }

    /** A standby, with somebody else who leads. */
    private Application standby(String... properties) {
        LeaderLease other = new LeaderLease(LeaseSettings.builder("orders").build(), store, null);
        other.start();
        await().until(other::isHeld);
        Application application = new Application(store, properties);
        await().until(() -> application.lease().status().epoch() == 1);
        return application.closing(other);
    }

    /** An application with a web server. */
    private static final class Application implements AutoCloseable {
        private final HttpClient client = HttpClient.newHttpClient();
        private final ConfigurableApplicationContext context;
        private final List<AutoCloseable> alsoClosed = new ArrayList<>();

        Application(LeaseStore store, String... properties) {
            context = new SpringApplicationBuilder(Configured.class)
                    .properties(
                            "lease.name=orders",
                            "server.port=0",
                            "spring.main.banner-mode=off",
                            "spring.autoconfigure.exclude=org.springframework.boot.devtools.autoconfigure"
                                    + ".LocalDevToolsAutoConfiguration",
                            // Only the lease and the probes: there are no brokers here.
                            "management.health.defaults.enabled=false",
                            "management.health.lease.enabled=true",
                            "management.endpoint.health.show-details=always",
                            "management.endpoints.web.exposure.include=health,info,prometheus")
                    .properties(properties)
                    .initializers(created ->
                            ((GenericApplicationContext) created).registerBean(LeaseStore.class, () -> store))
                    .run();
        }

        Application closing(AutoCloseable other) {
            alsoClosed.add(other);
            return this;
        }

        LeaderLease lease() {
            return context.getBean(LeaderLease.class);
        }

        HealthEndpointGroups groups() {
            return context.getBean(HealthEndpointGroups.class);
        }

        int serverPort() {
            return port("local.server.port");
        }

        /** That of the actuator. */
        int port() {
            return port("local.management.port");
        }

        private int port(String property) {
            return context.getEnvironment().getRequiredProperty(property, Integer.class);
        }

        HttpResponse<String> get(String path) throws IOException, InterruptedException {
            URI uri = URI.create("http://localhost:" + port() + "/actuator" + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        }

        @Override
        public void close() throws Exception {
            LeaderLease lease = lease();
            context.close();
            await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
            for (AutoCloseable other : alsoClosed) {
                other.close();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Configured {}
}
