package io.leasehold.kubernetes;

import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.leasehold.NetworkFaultsContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("servers")
class KubernetesNetworkFaultsTest extends NetworkFaultsContract {
    /** One for each test: it waits for watches that were cut off, and with it would those that come after. */
    private final MockApiServer api = new MockApiServer();

    private final String name = MockApiServer.newName();

    @AfterEach
    void stopServer() throws Exception {
        api.close();
    }

    @Override
    protected int serverPort() {
        return api.client().getMasterUrl().getPort();
    }

    @Override
    protected Handle newHandle(int port, Duration timeout) {
        KubernetesClient application = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(api.client().getConfiguration())
                        .withAutoConfigure(false)
                        .withMasterUrl("http://localhost:" + port)
                        .build())
                .build();
        KubernetesStoreOptions options = new KubernetesStoreOptions("test", timeout);
        KubernetesApi reached = KubernetesApi.of(application, options);
        KubernetesLeaseStore leases = new KubernetesLeaseStore(reached, name);
        KubernetesStateStore states = new KubernetesStateStore(reached, name);
        application.close();
        return new Handle(leases, states, reached);
    }
}
