package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.leasehold.LeaderLease;
import io.leasehold.kubernetes.KubernetesLeaseStore;
import io.leasehold.kubernetes.KubernetesStateStore;
import io.leasehold.spring.autoconfigure.health.LeaseHealthAutoConfiguration;
import io.leasehold.spring.health.LeaseHealthIndicator;
import io.leasehold.state.LeaderState;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Tag("servers")
class LeaseKubernetesAutoConfigurationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Held here, or its level would be forgotten with it: it tells of every request. */
    private static final Logger REQUEST_LOG = Logger.getLogger(MockWebServer.class.getName());

    private static KubernetesMockServer server;
    private static KubernetesClient client;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    LeaseAutoConfiguration.class,
                    LeaseKubernetesAutoConfiguration.class,
                    LeaseHealthAutoConfiguration.class))
            .withPropertyValues("lease.name=orders", "lease.store=kubernetes");

    @BeforeAll
    static void startServer() {
        REQUEST_LOG.setLevel(Level.WARNING);
        server = newServer(new KubernetesCrudDispatcher());
        server.init();
        client = server.createClient();
    }

    @AfterAll
    static void stopServer() {
        client.close();
        server.destroy();
    }

    private static KubernetesMockServer newServer(Dispatcher dispatcher) {
        return new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(), dispatcher, false);
    }

    private static KubernetesClient newClient(String url) {
        Config config = new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withMasterUrl(url)
                .withNamespace("test")
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private ApplicationContextRunner withClient() {
        return runner.withBean(
                "kubernetes",
                KubernetesClient.class,
                () -> newClient(client.getMasterUrl().toString()));
    }

    @Test
    void aLeaseAndItsStateAreObjectsOfTheApplicationsNamespace() {
        withClient().withPropertyValues("lease.kubernetes.name=first").run(context -> {
            LeaderLease lease = context.getBean(LeaderLease.class);
            await().atMost(PATIENCE).until(lease::isHeld);
            assertThat(context.getBean(LeaseStore.class)).isInstanceOf(KubernetesLeaseStore.class);
            assertThat(context.getBean(StateStore.class)).isInstanceOf(KubernetesStateStore.class);
            context.getBean(LeaderState.class).commit("orders", "17");
            assertThat(client.leases().withName("first").get().getSpec().getHolderIdentity())
                    .isEqualTo(lease.status().holder());
            assertThat(client.configMaps().withName("first-state").get().getData())
                    .hasEntrySatisfying("state.json", state -> assertThat(state).contains("\"orders\":\"17\""));
        });
        assertThat(client.leases().withName("first").get().getSpec().getHolderIdentity())
                .as("released when the context was closed, before any client")
                .isEmpty();
    }

    @Test
    void severalLeasesAreObjectsOfTheirOwn() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LeaseAutoConfiguration.class, LeaseKubernetesAutoConfiguration.class))
                .withBean(
                        KubernetesClient.class,
                        () -> newClient(client.getMasterUrl().toString()))
                .withPropertyValues(
                        "lease.store=kubernetes", "lease.leases.north.ttl=30s", "lease.leases.south.ttl=30s")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    context.getBeansOfType(LeaderLease.class)
                            .values()
                            .forEach(lease -> await().atMost(PATIENCE).until(lease::isHeld));
                    assertThat(client.leases().withName("north").get()).isNotNull();
                    assertThat(client.leases().withName("south").get()).isNotNull();
                });
    }

    @Test
    void severalLeasesCannotShareAnObject() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(LeaseAutoConfiguration.class, LeaseKubernetesAutoConfiguration.class))
                .withPropertyValues("lease.store=kubernetes", "lease.kubernetes.name=x", "lease.leases.north.ttl=30s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LeaseConfigurationException.class)
                        .hasMessageContaining("lease.kubernetes.name"));
    }

    @Test
    void aStateMayBeInAConfigMapWhileTheLeaseIsInFiles(@TempDir Path directory) {
        withClient()
                .withPropertyValues(
                        "lease.store=file",
                        "lease.file.path=" + directory.resolve("lease"),
                        "lease.state.store=kubernetes",
                        "lease.kubernetes.name=second")
                .run(context -> {
                    LeaderLease lease = context.getBean(LeaderLease.class);
                    await().atMost(PATIENCE).until(lease::isHeld);
                    assertThat(client.configMaps().withName("second-state").get())
                            .isNotNull();
                    assertThat(client.leases().withName("second").get()).isNull();
                });
    }

    @Test
    void severalClientsNeedAPrimaryOne() {
        ApplicationContextRunner two =
                withClient().withBean("other", KubernetesClient.class, () -> newClient("http://x"));
        two.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(LeaseConfigurationException.class)
                .hasMessageContaining("several KubernetesClient beans")
                .hasMessageContaining("@Primary"));
        withClient()
                .withBean(
                        "other",
                        KubernetesClient.class,
                        () -> newClient(client.getMasterUrl().toString()),
                        definition -> definition.setPrimary(true))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutTheLibraryTheStartSaysWhatIsMissing() {
        runner.withClassLoader(new FilteredClassLoader("io.fabric8.kubernetes.client"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(LeaseConfigurationException.class)
                        .hasMessageContaining("io.fabric8:kubernetes-client"));
    }

    @Test
    void withoutTheLibraryOtherStoresWork(@TempDir Path directory) {
        runner.withClassLoader(new FilteredClassLoader("io.fabric8.kubernetes.client"))
                .withPropertyValues("lease.store=file", "lease.file.path=" + directory.resolve("lease"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LeaderLease.class));
    }

    @Test
    void aNameThatKubernetesDoesNotAllowIsNamedWithThePropertyThatHelps() {
        withClient()
                .withPropertyValues("lease.name=My_Orders")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(LeaseConfigurationException.class.getName())
                        .hasStackTraceContaining("My_Orders")
                        .hasStackTraceContaining("Set lease.kubernetes.name"));
        withClient()
                .withPropertyValues("lease.name=My_Orders", "lease.kubernetes.name=my-orders")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void whereNobodyNamesANamespaceThePropertyIsNamed() {
        Config nowhere = new ConfigBuilder(Config.empty())
                .withAutoConfigure(false)
                .withMasterUrl("http://localhost:1")
                .build();
        ApplicationContextRunner without = runner.withBean(
                KubernetesClient.class,
                () -> new KubernetesClientBuilder().withConfig(nowhere).build());
        without.run(context ->
                assertThat(context.getStartupFailure()).hasStackTraceContaining("Set lease.kubernetes.namespace"));
        without.withPropertyValues("lease.kubernetes.namespace=shop")
                .run(context ->
                        assertThat(context.getBean(LeaseStore.class).location()).isEqualTo("kubernetes:shop/orders"));
    }

    @Test
    void withoutAClientOfItsOwnTheApplicationIsWhereTheLibraryFindsIt() {
        String before = System.setProperty("kubernetes.master", "http://localhost:1");
        try {
            runner.withPropertyValues("lease.kubernetes.namespace=shop")
                    .run(context -> assertThat(context.getBean(LeaseStore.class).location())
                            .isEqualTo("kubernetes:shop/orders"));
        } finally {
            if (before == null) {
                System.clearProperty("kubernetes.master");
            } else {
                System.setProperty("kubernetes.master", before);
            }
        }
    }

    @Test
    void anApplicationThatStartsBeforeTheServerLeadsOnceItIsThere() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        KubernetesMockServer late = newServer(new KubernetesCrudDispatcher());
        runner.withPropertyValues("lease.ttl=6s")
                .withBean(KubernetesClient.class, () -> newClient("http://localhost:" + port))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    LeaderLease lease = context.getBean(LeaderLease.class);
                    LeaseHealthIndicator health = context.getBean(LeaseHealthIndicator.class);
                    await().atMost(PATIENCE).until(() -> !lease.status().reachable());
                    assertThat(Objects.requireNonNull(health.health()).getStatus())
                            .isNotEqualTo(Status.UP);
                    late.init(InetAddress.getLoopbackAddress(), port);
                    await().atMost(PATIENCE).until(lease::isHeld);
                });
        late.destroy();
    }

    /** A server that answers every request with a code, and says that nothing is allowed. */
    private static KubernetesMockServer refusing(AtomicInteger code) {
        KubernetesMockServer refusing = newServer(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                if (request.getPath().endsWith("/selfsubjectaccessreviews")) {
                    return new MockResponse()
                            .setResponseCode(201)
                            .setHeader("Content-Type", "application/json")
                            .setBody("{\"kind\":\"SelfSubjectAccessReview\",\"status\":{\"allowed\":false}}");
                }
                return new MockResponse()
                        .setResponseCode(code.get())
                        .setHeader("Content-Type", "application/json")
                        .setBody("{\"kind\":\"Status\",\"status\":\"Failure\",\"code\":" + code + "}");
            }
        });
        refusing.init();
        return refusing;
    }

    @ParameterizedTest
    @CsvSource({"kubernetes, none, leases.coordination.k8s.io", "file, kubernetes, configmaps"})
    void aPermissionThatIsMissingEndsTheStart(String store, String state, String kind, @TempDir Path directory) {
        KubernetesMockServer strict = refusing(new AtomicInteger(403));
        runner.withPropertyValues(
                        "lease.store=" + store,
                        "lease.state.store=" + state,
                        "lease.file.path=" + directory.resolve("x"))
                .withBean(KubernetesClient.class, () -> newClient("http://localhost:" + strict.getPort()))
                .run(context -> {
                    FailureAnalysis analysis = new UnsuitableStoreFailureAnalyzer()
                            .analyze(Objects.requireNonNull(context.getStartupFailure()));
                    assertThat(Objects.requireNonNull(analysis).getDescription())
                            .contains("to get " + kind)
                            .contains("in namespace \"test\" is not allowed");
                    assertThat(analysis.getAction()).contains("a Role with the verb get for " + kind);
                });
        strict.destroy();
    }

    @Test
    void aPermissionThatIsTakenAwayIsInTheHealth() {
        AtomicInteger code = new AtomicInteger(500);
        KubernetesMockServer strict = refusing(code);
        runner.withPropertyValues("lease.state.store=none")
                .withBean(KubernetesClient.class, () -> newClient("http://localhost:" + strict.getPort()))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    code.set(403);
                    LeaseHealthIndicator health = context.getBean(LeaseHealthIndicator.class);
                    await().atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(Objects.requireNonNull(health.health())
                                            .getDetails()
                                            .toString())
                                    .contains("to get leases.coordination.k8s.io")
                                    .contains("a Role with the verb get"));
                });
        strict.destroy();
    }

    @Test
    void theClientOfTheLeaseEndsWithTheContext() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        runner.withBean(
                        KubernetesClient.class,
                        () -> newClient(client.getMasterUrl().toString()))
                .withPropertyValues("lease.kubernetes.name=third")
                .run(context -> {
                    await().atMost(PATIENCE).until(context.getBean(LeaderLease.class)::isHeld);
                    assertThat(clientThreads(before)).isNotEmpty();
                });
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(clientThreads(before)).isEmpty());
    }

    private static List<String> clientThreads(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.startsWith("vert.x"))
                .toList();
    }
}
