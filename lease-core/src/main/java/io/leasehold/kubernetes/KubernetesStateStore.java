package io.leasehold.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.leasehold.json.Json;
import io.leasehold.state.ConditionalStateStore;
import io.leasehold.state.StateRecord;
import io.leasehold.state.StateStoreException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state of a lease in a ConfigMap, whole in one of its keys. Opening an epoch is one look and one write, a commit one
 * write; each write names the version that it replaces. Safe for use by several threads.
 *
 * <p>Kubernetes holds at most 1 MiB in a ConfigMap: a larger state is refused before it is sent, and nothing changes.
 *
 * <p>Not guaranteed: where a person deletes the ConfigMap, the state and the memory of its epochs are gone. A holder whose
 * state was deleted writes the whole state anew with its next commit.
 */
public final class KubernetesStateStore extends ConditionalStateStore {
    private static final String KEY = "state.json";
    private static final long LARGEST_BYTES = 1024L * 1024;

    /** A look at the state, with the version that a write replaces; null where there was none. */
    private record Look(
            @Nullable StateRecord state, @Nullable ConfigMap map) {}

    private final KubernetesApi api;
    private final String name;
    private final String location;
    private final ApiObject<ConfigMap> object;
    private volatile @Nullable Look last;

    /**
     * A state that may not exist yet. Asks for nothing before the first look.
     *
     * @param api how the API server is reached; to be closed by whoever made it
     * @param lease the lease's name; the ConfigMap's is this with {@code -state} appended
     * @throws IllegalArgumentException when the name is none that Kubernetes allows
     */
    public KubernetesStateStore(KubernetesApi api, String lease) {
        this.api = api;
        this.name = ObjectNames.ofState(lease);
        this.location = "kubernetes:" + api.namespace() + "/configmaps/" + name;
        this.object =
                new ApiObject<>(api, api.client().configMaps().inNamespace(api.namespace()), "", "configmaps", name);
    }

    @Override
    public void check() {
        try {
            object.requirePermissions();
        } catch (ApiException e) {
            throw failure(e);
        }
    }

    @Override
    protected @Nullable StateRecord read() {
        return look().state();
    }

    @Override
    protected boolean write(@Nullable StateRecord expected, StateRecord next) {
        Look basis = last;
        if (basis == null || !shows(basis, expected)) {
            basis = look();
            if (!shows(basis, expected)) {
                return false;
            }
        }
        ConfigMap written = send(basis.map(), new String(Json.write(next), StandardCharsets.UTF_8));
        if (written == null) {
            return false;
        }
        last = new Look(next, written);
        return true;
    }

    private static boolean shows(Look look, @Nullable StateRecord expected) {
        StateRecord there = look.state();
        return there == null ? expected == null : expected != null && there.sameWrite(expected);
    }

    private @Nullable ConfigMap send(@Nullable ConfigMap before, String text) {
        ConfigMapBuilder builder = before != null
                ? new ConfigMapBuilder(before)
                : new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(api.namespace())
                        .endMetadata();
        ConfigMap next = builder.addToData(KEY, text).build();
        requireSmallEnough(next);
        try {
            return before != null ? object.replace(next) : object.create(next);
        } catch (ApiException e) {
            throw failure(e);
        }
    }

    private void requireSmallEnough(ConfigMap map) {
        long bytes = 0;
        for (String value : map.getData().values()) {
            bytes += value.getBytes(StandardCharsets.UTF_8).length;
        }
        if (bytes > LARGEST_BYTES) {
            throw new StateStoreException("The state at " + location + " would have " + bytes
                    + " bytes, and a ConfigMap holds at most " + LARGEST_BYTES
                    + ". Nothing was written. Keep less in the state, or keep it in another store.");
        }
    }

    private Look look() {
        ConfigMap found;
        try {
            found = object.get();
        } catch (ApiException e) {
            throw failure(e);
        }
        Look look = new Look(found == null ? null : parse(found), found);
        last = look;
        return look;
    }

    private @Nullable StateRecord parse(ConfigMap map) {
        Map<String, String> data = map.getData();
        String text = data == null ? null : data.get(KEY);
        if (text == null) {
            return null;
        }
        try {
            return Json.readState(text.getBytes(StandardCharsets.UTF_8));
        } catch (Json.UnreadableException e) {
            throw new StateStoreException(
                    "The state at " + location + ", key " + KEY + ", cannot be understood: " + e.getMessage()
                            + ". Restore it, or take the key away to begin with an empty state.",
                    e);
        }
    }

    @Override
    public String location() {
        return location;
    }

    private static StateStoreException failure(ApiException cause) {
        return new StateStoreException(String.valueOf(cause.getMessage()), cause.getCause());
    }
}
