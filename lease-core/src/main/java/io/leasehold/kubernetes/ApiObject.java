package io.leasehold.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One object of the API server, by its name. Each method is one request. Safe for use by several threads. */
final class ApiObject<T extends HasMetadata> {
    private static final int LONGEST_REASON = 500;

    private final NonNamespaceOperation<T, ?, Resource<T>> objects;
    private final Duration limit;
    private final String resource;
    private final String namespace;
    private final String name;

    /**
     * An object that may not exist.
     *
     * @param resource the plural of the kind with its API group, as in a Role
     */
    ApiObject(ApiServer server, NonNamespaceOperation<T, ?, Resource<T>> objects, String resource, String name) {
        this.objects = objects;
        this.limit = server.limit();
        this.resource = resource;
        this.namespace = server.namespace();
        this.name = name;
    }

    /** The object; null where there is none. */
    @Nullable
    T get() throws ApiException {
        return ask("get", Set.of(), () -> objects.withName(name).get());
    }

    /** The object as it was created; null where there is one already. */
    @Nullable
    T create(T object) throws ApiException {
        return ask(
                "create",
                Set.of(HttpURLConnection.HTTP_CONFLICT),
                () -> objects.resource(object).create());
    }

    /**
     * The object as it was replaced; null where it is not the one that was read, or is gone. What was read carries its
     * version and its uid: without the uid the server would create a Lease that was deleted anew.
     */
    @Nullable
    T replace(T object) throws ApiException {
        return ask(
                "update",
                Set.of(HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND),
                () -> objects.resource(object).update());
    }

    private @Nullable T ask(String verb, Set<Integer> refusals, Supplier<@Nullable T> request) throws ApiException {
        try {
            return BoundedCall.run(request, limit);
        } catch (TimeoutException e) {
            throw new ApiException(describe(verb) + " has no whole answer within " + limit, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(describe(verb) + " was interrupted", e);
        } catch (KubernetesClientException e) {
            if (refusals.contains(e.getCode())) {
                return null;
            }
            throw new ApiException(describe(verb, e), e);
        } catch (RuntimeException e) {
            throw new ApiException(describe(verb) + " failed: " + e, e);
        }
    }

    private String describe(String verb) {
        return "Kubernetes: to " + verb + " " + resource + " \"" + name + "\" in namespace \"" + namespace + "\"";
    }

    private String describe(String verb, KubernetesClientException failure) {
        String what = describe(verb);
        if (failure.getCode() <= 0) {
            return what + " has no answer: " + rootOf(failure);
        }
        return switch (failure.getCode()) {
            case HttpURLConnection.HTTP_FORBIDDEN ->
                what + " is not allowed (HTTP 403)." + reason(failure)
                        + " Give the service account a Role with the verb " + verb + " for " + resource
                        + " in this namespace.";
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                what + " is refused, the API server does not accept the credentials (HTTP 401). Look at the service"
                        + " account's token, or at the kubeconfig.";
            case HttpURLConnection.HTTP_NOT_FOUND ->
                what
                        + " is not possible (HTTP 404): there is no such namespace, or the API server does not know the kind.";
            default -> what + " failed with HTTP " + failure.getCode() + ".";
        };
    }

    /** What the server says about its refusal: who may not do what, or which policy stands against it. */
    private static String reason(KubernetesClientException failure) {
        String text = failure.getStatus() == null ? null : failure.getStatus().getMessage();
        if (text == null || text.isBlank()) {
            return "";
        }
        return " " + text.substring(0, Math.min(text.length(), LONGEST_REASON)) + ".";
    }

    private static String rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
    }
}
