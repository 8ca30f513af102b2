package io.leasehold.kubernetes;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.leasehold.store.ConditionalLeaseStore;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import java.io.Closeable;
import org.jspecify.annotations.Nullable;

/**
 * A lease in a {@code coordination.k8s.io/v1} Lease object. The epoch is {@code leaseTransitions}, so it ends at 2147483647;
 * the whole record is in an annotation, and the other fields are as every election on Leases writes them. A look is one
 * request, and so is a write, which names the version that it replaces. Safe for use by several threads.
 *
 * <p>An election by another library on the same Lease is respected: whoever it names holds the lease until it has been
 * seen unchanged for the duration that it names. Released, it names nobody, and others may take it at once.
 *
 * <p>Not guaranteed: where a person deletes the Lease under its holder, and no state store remembers the epoch.
 */
public final class KubernetesLeaseStore extends ConditionalLeaseStore {
    /** A look at the lease, with the version that a write replaces; null where there was none. */
    private record Look(LeaseSnapshot snapshot, @Nullable Lease lease) {}

    private final KubernetesApi api;
    private final String name;
    private final String location;
    private final NonNamespaceOperation<Lease, ?, Resource<Lease>> leases;
    private final ApiObject<Lease> object;
    private volatile @Nullable Look last;

    /**
     * A lease that may not exist yet. Asks for nothing before the first look.
     *
     * @param api how the API server is reached; to be closed by whoever made it
     * @param name the lease's name, and the object's
     * @throws IllegalArgumentException when the name is none that Kubernetes allows
     */
    public KubernetesLeaseStore(KubernetesApi api, String name) {
        this.api = api;
        this.name = ObjectNames.ofLease(name);
        this.location = "kubernetes:" + api.namespace() + "/" + name;
        this.leases = api.client().leases().inNamespace(api.namespace());
        this.object = new ApiObject<>(api, leases, "coordination.k8s.io", "leases", name);
    }

    @Override
    public void check() throws LeaseStoreException {
        try {
            object.requirePermissions();
        } catch (ApiException e) {
            throw failure(e);
        }
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        return look().snapshot();
    }

    @Override
    protected boolean write(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        if (next.epoch() > LeaseObjects.HIGHEST_EPOCH) {
            throw new LeaseStoreException("The lease at " + location + " cannot have epoch " + next.epoch()
                    + ": leaseTransitions ends at " + LeaseObjects.HIGHEST_EPOCH
                    + ". Begin a new lease, with another name and another state.");
        }
        Look basis = last;
        if (basis == null || !basis.snapshot().unchangedFrom(expected)) {
            basis = look();
            if (!basis.snapshot().unchangedFrom(expected)) {
                return false;
            }
        }
        Lease written = send(basis.lease(), next);
        if (written == null) {
            return false;
        }
        Look look = lookAt(written);
        if (!next.equals(look.snapshot().record())) {
            throw new LeaseStoreException(
                    "The API server stored something else at " + location + " than what was written."
                            + " An admission webhook may change Leases, or take away the annotation "
                            + LeaseObjects.ANNOTATION);
        }
        last = look;
        return true;
    }

    private @Nullable Lease send(@Nullable Lease before, LeaseRecord next) throws LeaseStoreException {
        try {
            if (before != null) {
                return object.replace(LeaseObjects.write(before, next));
            }
            Lease entirelyNew = new LeaseBuilder()
                    .withNewMetadata()
                    .withName(name)
                    .withNamespace(api.namespace())
                    .endMetadata()
                    .build();
            return object.create(LeaseObjects.write(entirelyNew, next));
        } catch (ApiException e) {
            throw failure(e);
        }
    }

    private Look look() throws LeaseStoreException {
        Lease found;
        try {
            found = object.get();
        } catch (ApiException e) {
            throw failure(e);
        }
        Look look = found == null ? new Look(LeaseSnapshot.empty(location), null) : lookAt(found);
        last = look;
        return look;
    }

    private Look lookAt(Lease lease) {
        LeaseObjects.Reading reading = LeaseObjects.read(lease);
        String contents = LeaseObjects.contents(lease, api.client().getKubernetesSerialization());
        return new Look(new LeaseSnapshot(location, reading.epoch(), contents, reading.record(), reading.ttl()), lease);
    }

    /**
     * Tells of changes of the Lease, by a watch that the client opens again after the server closed it, forgot its
     * beginning, or was away.
     *
     * @param onChange called on a thread of the client's
     * @return ends the watch
     */
    @Override
    public Closeable watch(Runnable onChange) {
        return api.start(new LeaseWatch(leases.withName(name).runnableInformer(0), location, onChange));
    }

    @Override
    public String location() {
        return location;
    }

    private static LeaseStoreException failure(ApiException cause) {
        return new LeaseStoreException(String.valueOf(cause.getMessage()), cause.getCause());
    }
}
