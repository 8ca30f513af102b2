package io.leasehold.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MockApiServerTest {
    private static final int WATCHES = 100;

    @Test
    void watchesThatEndWhileTheyAreToldSomethingHoldUpNoRequest() throws Exception {
        try (MockApiServer api = new MockApiServer()) {
            Lease lease = api.client()
                    .leases()
                    .resource(new LeaseBuilder()
                            .withNewMetadata()
                            .withName("orders")
                            .endMetadata()
                            .build())
                    .create();
            for (int i = 0; i < WATCHES; i++) {
                Watch watch = api.client().leases().withName("orders").watch(new Unheard());
                String value = Integer.toString(i);
                CompletableFuture<Lease> written = CompletableFuture.supplyAsync(() -> api.client()
                        .leases()
                        .withName("orders")
                        .edit(found -> {
                            found.getMetadata().setAnnotations(Map.of("i", value));
                            return found;
                        }));
                watch.close();
                assertThat(written.get(9, TimeUnit.SECONDS).getMetadata().getUid())
                        .isEqualTo(lease.getMetadata().getUid());
            }
        }
    }

    private static final class Unheard implements Watcher<Lease> {
        @Override
        public void eventReceived(Action action, Lease lease) {}

        @Override
        public void onClose(WatcherException cause) {}
    }
}
