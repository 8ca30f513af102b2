package io.leasehold.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.leasehold.store.BoundedCall;
import io.leasehold.store.UnsuitableStoreException;
import java.net.HttpURLConnection;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One object of the API server, by its name. Each method is one request. Safe for use by several threads. */
final class ApiObject<T extends HasMetadata> {
    private static final Logger LOG = LoggerFactory.getLogger(ApiObject.class);
    private static final int LONGEST_REASON = 500;

    private final KubernetesApi api;
    private final NonNamespaceOperation<T, ?, Resource<T>> objects;
    private final String group;
    private final String plural;
    private final String name;

    /**
     * An object that may not exist.
     *
     * @param group the API group of the kind, empty for the core's
     * @param plural the plural of the kind
     */
    ApiObject(
            KubernetesApi api,
            NonNamespaceOperation<T, ?, Resource<T>> objects,
            String group,
            String plural,
            String name) {
        this.api = api;
        this.objects = objects;
        this.group = group;
        this.plural = plural;
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

    /**
     * Asks whether the account may do what a lease needs, and writes nothing. One that may not create is enough where the
     * object is there.
     *
     * @throws UnsuitableStoreException when it is sure that it may not
     * @throws ApiException when the API server cannot be asked
     */
    void requirePermissions() throws ApiException {
        T found;
        try {
            found = get();
        } catch (ApiException e) {
            if (e.getCause() instanceof KubernetesClientException failure
                    && failure.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                requirePermission("get", name);
            }
            throw e;
        }
        if (found == null) {
            requirePermission("create", "");
        }
        requirePermission("update", name);
    }

    /** Creating is asked about without a name, as the API server does; a server that cannot say is taken at its word later. */
    private void requirePermission(String verb, String object) {
        SelfSubjectAccessReview question = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withNamespace(api.namespace())
                .withVerb(verb)
                .withGroup(group)
                .withResource(plural)
                .withName(object)
                .endResourceAttributes()
                .endSpec()
                .build();
        SubjectAccessReviewStatus answer;
        try {
            SelfSubjectAccessReview answered = ask(
                    "review access to",
                    Set.of(),
                    () -> api.client()
                            .authorization()
                            .v1()
                            .selfSubjectAccessReview()
                            .create(question));
            answer = answered == null ? null : answered.getStatus();
        } catch (ApiException e) {
            LOG.debug("It is not known whether the account may {} {}", verb, resource(), e);
            return;
        }
        if (answer != null && answer.getEvaluationError() == null && Boolean.FALSE.equals(answer.getAllowed())) {
            String reason = answer.getReason() == null ? "" : " " + answer.getReason();
            throw new UnsuitableStoreException(describe(verb) + " is not allowed." + reason, advice(verb), null);
        }
    }

    private <A> @Nullable A ask(String verb, Set<Integer> refusals, Supplier<@Nullable A> request) throws ApiException {
        try {
            return BoundedCall.run(request::get, api.limit(), call -> call.cancel(true));
        } catch (TimeoutException e) {
            throw new ApiException(describe(verb) + " has no whole answer within " + api.limit(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException(describe(verb) + " was interrupted", e);
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof KubernetesClientException failure)) {
                throw new ApiException(describe(verb) + " failed: " + e.getCause(), e);
            }
            if (refusals.contains(failure.getCode())) {
                return null;
            }
            throw new ApiException(describe(verb, failure), failure);
        }
    }

    private String describe(String verb) {
        return "Kubernetes: to " + verb + " " + resource() + " \"" + name + "\" in namespace \"" + api.namespace()
                + "\"";
    }

    /** The kind as a Role names it. */
    private String resource() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    private String advice(String verb) {
        return "Give the service account a Role with the verb " + verb + " for " + resource() + " in this namespace.";
    }

    private String describe(String verb, KubernetesClientException failure) {
        String what = describe(verb);
        if (failure.getCode() <= 0) {
            return what + " has no answer: " + rootOf(failure);
        }
        return switch (failure.getCode()) {
            case HttpURLConnection.HTTP_FORBIDDEN ->
                what + " is not allowed (HTTP 403)." + reason(failure) + " " + advice(verb);
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
