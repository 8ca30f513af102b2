package io.leasehold;

import io.leasehold.kubernetes.KubernetesLeaseStore;
import io.leasehold.kubernetes.KubernetesStateStore;
import io.leasehold.kubernetes.KubernetesStoreOptions;
import io.leasehold.kubernetes.MockApiServer;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.store.ConditionalLeaseStore;
import java.time.Duration;

/** The objects of a lease and its state in the API server for tests, over HTTP. */
final class KubernetesRecords extends StoredRecords {
    private static final KubernetesStoreOptions PATIENT = new KubernetesStoreOptions(null, Duration.ofSeconds(10));

    private final String name = MockApiServer.newName();
    private final MockApiServer api;

    KubernetesRecords(MockApiServer api) {
        this.api = api;
        opened(api::forgetRequests);
    }

    @Override
    public ConditionalLeaseStore leases() {
        return opened(KubernetesLeaseStore.open(api.client(), name, PATIENT));
    }

    @Override
    public ConditionalStateStore states() {
        return opened(KubernetesStateStore.open(api.client(), name, PATIENT));
    }

    @Override
    boolean deleteLease() {
        return !api.client().leases().withName(name).delete().isEmpty();
    }

    @Override
    boolean deleteState() {
        return !api.client().configMaps().withName(name + "-state").delete().isEmpty();
    }

    @Override
    boolean garbleLease() {
        boolean there = api.client().leases().withName(name).get() != null;
        if (there) {
            api.garble(name, "garbled");
        }
        return there;
    }
}
