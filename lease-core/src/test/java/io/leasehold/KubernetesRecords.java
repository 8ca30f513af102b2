package io.leasehold;

import io.leasehold.kubernetes.MockApiServer;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.store.ConditionalLeaseStore;

/** The objects of a lease and its state in the API server for tests, over HTTP. */
final class KubernetesRecords extends StoredRecords {
    private final String name = MockApiServer.newName();
    private final MockApiServer api;

    KubernetesRecords(MockApiServer api) {
        this.api = api;
        opened(api::forgetRequests);
    }

    @Override
    public ConditionalLeaseStore leases() {
        return api.lease(name);
    }

    @Override
    public ConditionalStateStore states() {
        return api.state(name);
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
