package io.leasehold.kubernetes;

import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.mockwebserver.http.MockResponse;
import io.leasehold.kubernetes.MockApiServer.Request;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.UnsuitableStoreException;
import io.leasehold.store.WriteOutcome;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an account may not do is known before anybody relies on the store. */
@Tag("servers")
class KubernetesPermissionsTest {
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

    private static boolean isReview(Request request) {
        return request.path().endsWith("/selfsubjectaccessreviews");
    }

    private static boolean isAbout(Request request, String verb, String resource) {
        return request.body().contains("\"verb\":\"" + verb + "\"")
                && request.body().contains("\"resource\":\"" + resource + "\"");
    }

    /** Every account may be asked about, and may do all but one thing. */
    private static void mayNot(String verb, String resource, String more) {
        api.fault(
                KubernetesPermissionsTest::isReview,
                (request, usual) -> new MockResponse()
                        .setResponseCode(201)
                        .setHeader("Content-Type", "application/json")
                        .setBody(
                                "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SelfSubjectAccessReview\",\"spec\":{},"
                                        + "\"status\":{\"allowed\":" + !isAbout(request, verb, resource) + more
                                        + "}}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "update"})
    void aVerbThatIsNotAllowedForLeasesIsNamed(String verb) {
        mayNot(verb, "leases", "");

        assertThatThrownBy(api.lease(name)::check)
                .isInstanceOf(UnsuitableStoreException.class)
                .hasMessageContaining("to " + verb + " leases.coordination.k8s.io \"" + name + "\"")
                .hasMessageContaining("a Role with the verb " + verb);
        assertThatCode(api.state(name)::check).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"create", "update"})
    void aVerbThatIsNotAllowedForConfigMapsIsNamed(String verb) {
        mayNot(verb, "configmaps", "");

        assertThatThrownBy(api.state(name)::check)
                .isInstanceOf(UnsuitableStoreException.class)
                .hasMessageContaining("to " + verb + " configmaps \"" + name + "-state\"");
        assertThatCode(api.lease(name)::check).doesNotThrowAnyException();
    }

    @Test
    void whatMayNotBeReadIsNamed() {
        api.fault(request -> request.path().contains(name), MockApiServer.status(403, "User pod cannot do that"));
        mayNot("get", "leases", ",\"reason\":\"no role binds the account\"");

        assertThatThrownBy(api.lease(name)::check)
                .isInstanceOf(UnsuitableStoreException.class)
                .hasMessageContaining("to get leases.coordination.k8s.io")
                .hasMessageContaining("is not allowed. no role binds the account");
        assertThatThrownBy(api.state(name)::check)
                .as("a refusal that is not the account's")
                .isInstanceOf(StateStoreException.class);
    }

    @Test
    void aLeaseThatIsThereNeedNotBeCreated() throws Exception {
        KubernetesLeaseStore store = api.lease(name);
        assertThat(store.replace(store.read(), claim("a", 1))).isEqualTo(WriteOutcome.CONFIRMED);
        mayNot("create", "leases", "");

        assertThatCode(store::check).doesNotThrowAnyException();
    }

    @Test
    void aServerThatCannotSayWhatIsAllowedIsNotTakenForOneThatRefuses() {
        mayNot("update", "leases", ",\"evaluationError\":\"the webhook does not answer\"");
        assertThatCode(api.lease(name)::check).doesNotThrowAnyException();
        api.faultsOver();
        api.fault(KubernetesPermissionsTest::isReview, MockApiServer.status(403, "not allowed"));
        assertThatCode(api.lease(name)::check).doesNotThrowAnyException();
        api.faultsOver();
        assertThatCode(api.lease(name)::check).doesNotThrowAnyException();
    }

    @Test
    void aServerThatDoesNotAnswerMayAllowAll() {
        api.fault(request -> true, MockApiServer.status(500, "broken"));

        assertThatThrownBy(api.lease(name)::check).isInstanceOf(LeaseStoreException.class);
        assertThatThrownBy(api.state(name)::check).isInstanceOf(StateStoreException.class);
    }

    @Test
    void theCheckWritesNothing() {
        assertThatCode(api.lease(name)::check).doesNotThrowAnyException();
        assertThatCode(api.state(name)::check).doesNotThrowAnyException();

        assertThat(api.client().leases().withName(name).get()).isNull();
        assertThat(api.client().configMaps().withName(name + "-state").get()).isNull();
    }
}
