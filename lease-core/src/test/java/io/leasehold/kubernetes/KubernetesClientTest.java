package io.leasehold.kubernetes;

import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stores' own client: what it takes from the application's, and what not. */
@Tag("servers")
class KubernetesClientTest {
    private static MockApiServer api;

    private final String name = MockApiServer.newName();

    @BeforeAll
    static void startServer() {
        api = new MockApiServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        api.close();
    }

    @AfterEach
    void closeStores() throws Exception {
        api.faultsOver();
        api.closeStores();
    }

    private static Config config() {
        return new ConfigBuilder(api.client().getConfiguration())
                .withAutoConfigure(false)
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"MyApp", "my_app", "x.", ".x", "-x", "a..b", "", " ", "a/b", "ä"})
    void aNameThatKubernetesDoesNotAllowIsRefused(String bad) {
        assertThatThrownBy(() -> new KubernetesLeaseStore(api.connect(KubernetesStoreOptions.DEFAULTS), bad))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + bad + "\"")
                .hasMessageContaining("lower-case letters");
        assertThatThrownBy(() -> new KubernetesStateStore(api.connect(KubernetesStoreOptions.DEFAULTS), bad))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNameIsAtMostAsLongAsItsConfigMapAllows() {
        String longest = "a".repeat(247);
        assertThat(ObjectNames.ofState(longest)).hasSize(253);
        assertThatThrownBy(() -> ObjectNames.ofLease(longest + "a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theStateOfOneLeaseIsNeverThatOfAnother() {
        assertThat(ObjectNames.ofLease("orders-state")).isNotEqualTo(ObjectNames.ofState("orders-state"));
        assertThat(ObjectNames.ofState("orders")).isNotEqualTo(ObjectNames.ofState("orders-state"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.009S", "PT10.001S", "P1000000000D"})
    void aTimeoutOutOfBoundsIsRefused(Duration timeout) {
        assertThatThrownBy(() -> new KubernetesStoreOptions(null, timeout))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whereNobodyNamesANamespaceNoneIsGuessed() {
        Config nowhere = new ConfigBuilder(config()).withNamespace(null).build();
        try (KubernetesClient client =
                new KubernetesClientBuilder().withConfig(nowhere).build()) {
            assertThat(client.getNamespace()).isNull();
            assertThatThrownBy(() -> KubernetesApi.of(client, KubernetesStoreOptions.DEFAULTS))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("names no namespace");
            KubernetesStoreOptions named = new KubernetesStoreOptions("shop", Duration.ofSeconds(2));
            try (KubernetesApi reached = KubernetesApi.of(client, named)) {
                assertThat(new KubernetesLeaseStore(reached, name).location()).isEqualTo("kubernetes:shop/" + name);
            }
        }
    }

    @Test
    void closingAClientLeavesTheApplicationsAndClosingThatLeavesTheLease() throws Exception {
        KubernetesClient application =
                new KubernetesClientBuilder().withConfig(config()).build();
        KubernetesApi closed = KubernetesApi.of(application, KubernetesStoreOptions.DEFAULTS);
        KubernetesApi open = KubernetesApi.of(application, KubernetesStoreOptions.DEFAULTS);
        KubernetesLeaseStore second = new KubernetesLeaseStore(open, name);
        new KubernetesLeaseStore(closed, name).read();
        closed.close();
        closed.close();
        assertThat(application.leases().list().getItems()).isNotNull();
        assertThat(second.replace(second.read(), claim("a", 1))).isEqualTo(WriteOutcome.CONFIRMED);
        application.close();
        assertThat(second.read().epoch()).isOne();
        open.close();
        assertThatThrownBy(second::read).isInstanceOf(LeaseStoreException.class);
    }

    @Test
    void theApplicationsSettingsForRetriesAndTimeoutsAreNotTakenOver() throws Exception {
        Config patient = new ConfigBuilder(config())
                .withRequestTimeout(60_000)
                .withRequestRetryBackoffLimit(10)
                .withRequestRetryBackoffInterval(1)
                .build();
        try (KubernetesClient application =
                        new KubernetesClientBuilder().withConfig(patient).build();
                KubernetesApi reached = KubernetesApi.of(application, KubernetesStoreOptions.DEFAULTS)) {
            KubernetesLeaseStore store = new KubernetesLeaseStore(reached, name);
            api.fault(request -> true, MockApiServer.status(500, "broken"));
            api.forgetRequests();
            assertThatThrownBy(store::read).isInstanceOf(LeaseStoreException.class);
            assertThat(api.requestsAbout(name)).isOne();
        }
    }

    @Test
    void requestsOfTheApplicationThatHangKeepNoCallOfTheLeaseWaiting() throws Exception {
        KubernetesLeaseStore store = api.lease(name);
        store.read();
        api.fault(request -> request.path().contains("/pods"), MockApiServer.slow(Duration.ofSeconds(20)));
        List<CompletableFuture<?>> hanging = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(100);
        try (KubernetesClient application =
                new KubernetesClientBuilder().withConfig(config()).build()) {
            for (int i = 0; i < 100; i++) {
                hanging.add(CompletableFuture.runAsync(() -> application.pods().list(), threads));
            }
            assertThat(store.replace(store.read(), claim("a", 1))).isEqualTo(WriteOutcome.CONFIRMED);
            assertThat(hanging).noneMatch(CompletableFuture::isDone);
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aTokenThatWasRotatedIsReadAgain(@TempDir Path directory) throws Exception {
        Path token = Files.writeString(directory.resolve("token"), "token-1");
        AtomicReference<String> accepted = new AtomicReference<>("Bearer token-1");
        api.fault(
                request -> !request.header("Authorization").equals(accepted.get()),
                (request, usual) -> MockApiServer.status(401, "expired").answer(request, usual));
        Properties before = (Properties) System.getProperties().clone();
        try {
            System.setProperty("kubernetes.master", api.client().getMasterUrl().toString());
            System.setProperty(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, "false");
            System.setProperty(Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY, token.toString());
            KubernetesStoreOptions options = new KubernetesStoreOptions("test", Duration.ofSeconds(10));
            try (KubernetesClient inPod = new KubernetesClientBuilder().build();
                    KubernetesApi reached = KubernetesApi.of(inPod, options)) {
                KubernetesLeaseStore store = new KubernetesLeaseStore(reached, name);
                assertThat(store.read().epoch()).isZero();
                Files.writeString(token, "token-2");
                accepted.set("Bearer token-2");
                assertThat(store.read().epoch()).isZero();
                assertThat(store.replace(store.read(), claim("a", 1))).isEqualTo(WriteOutcome.CONFIRMED);
                accepted.set("Bearer token-3");
                assertThatThrownBy(store::read)
                        .isInstanceOf(LeaseStoreException.class)
                        .hasMessageContaining("HTTP 401");
            }
        } finally {
            System.setProperties(before);
        }
    }
}
