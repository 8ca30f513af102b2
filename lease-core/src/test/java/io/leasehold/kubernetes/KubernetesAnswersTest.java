package io.leasehold.kubernetes;

import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.mockwebserver.http.MockResponse;
import io.leasehold.kubernetes.MockApiServer.Fault;
import io.leasehold.kubernetes.MockApiServer.Request;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of the API server, and what each of its answers means. */
@Tag("servers")
class KubernetesAnswersTest {
    private static final Duration SHORT = Duration.ofMillis(500);
    private static MockApiServer api;

    private final String name = MockApiServer.newName();
    private KubernetesLeaseStore store;

    @BeforeAll
    static void startServer() {
        api = new MockApiServer();
    }

    @AfterAll
    static void stopServer() throws Exception {
        api.close();
    }

    @BeforeEach
    void open() {
        store = api.lease(name);
        api.forgetRequests();
    }

    @AfterEach
    void closeStores() throws Exception {
        api.faultsOver();
        api.closeStores();
    }

    private static Predicate<Request> method(String method) {
        return request -> request.method().equals(method);
    }

    private LeaseRecord held(LeaseRecord record) throws LeaseStoreException {
        assertThat(store.replace(store.read(), record)).isEqualTo(WriteOutcome.CONFIRMED);
        return record;
    }

    @Test
    void aLookIsOneRequestAndSoIsAWriteAfterIt() throws Exception {
        LeaseRecord first = held(claim("a", 1));
        held(renewed(first));
        assertThat(api.requests("GET")).hasSize(2);
        assertThat(api.requests("POST")).hasSize(1);
        assertThat(api.requests("PUT")).hasSize(1);
        assertThat(api.requestsAbout(name)).isEqualTo(4);
    }

    @Test
    void aCommitIsOneRequest() {
        StateSession session = api.state(name).open(1, "a", "lease-1");
        api.forgetRequests();
        session.write(Map.of("orders", "1"));
        session.write(Map.of("orders", "2"));
        assertThat(api.requests("PUT")).hasSize(2);
        assertThat(api.requestsAbout(name)).isEqualTo(2);
    }

    /** Without its uid, a real API server creates a Lease that was deleted anew, whatever version the request names. */
    @Test
    void anUpdateNamesTheVersionAndTheUidOfWhatItReplaces() throws Exception {
        LeaseRecord first = held(claim("a", 1));
        ObjectMeta before = api.client().leases().withName(name).get().getMetadata();
        held(renewed(first));
        requireNamed(before);
    }

    @Test
    void aCommitNamesTheVersionAndTheUidOfWhatItReplaces() {
        StateSession session = api.state(name).open(1, "a", "lease-1");
        ObjectMeta before =
                api.client().configMaps().withName(name + "-state").get().getMetadata();
        session.write(Map.of("orders", "1"));
        requireNamed(before);
    }

    private static void requireNamed(ObjectMeta before) {
        assertThat(before.getUid()).isNotBlank();
        assertThat(api.requests("PUT"))
                .singleElement()
                .extracting(Request::body)
                .asString()
                .contains("\"resourceVersion\":\"" + before.getResourceVersion() + "\"")
                .contains("\"uid\":\"" + before.getUid() + "\"");
    }

    @Test
    void aWriteOnWhatAnotherHandleReadComparesBeforeItWrites() throws Exception {
        LeaseRecord first = held(claim("a", 1));
        LeaseSnapshot observed = store.read();
        KubernetesLeaseStore other = api.lease(name);
        assertThat(other.write(observed, renewed(first))).isTrue();
        assertThat(other.write(observed, claim("b", 2))).isFalse();
    }

    @Test
    void aLeaseThatSomebodyLabelledCanBeRenewed() throws Exception {
        LeaseRecord first = held(claim("a", 1));
        LeaseSnapshot own = store.read();
        api.client().leases().withName(name).edit(lease -> {
            lease.getMetadata().setLabels(Map.of("team", "shop"));
            return lease;
        });
        assertThat(store.replace(own, renewed(first))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(api.client().leases().withName(name).get().getMetadata().getLabels())
                .containsEntry("team", "shop");
    }

    @Test
    void aRefusedRenewOfALeaseThatIsStillOurOwnIsConfirmedByTheNextRequest() throws Exception {
        LeaseRecord first = held(claim("a", 1));
        LeaseSnapshot own = store.read();
        api.fault(method("PUT"), once(MockApiServer.status(409, "the object has been modified")));
        assertThat(store.replace(own, renewed(first))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aRenewThatIsRefusedAgainAndAgainIsNoBlindWrite() throws Exception {
        LeaseRecord first = held(claim("a", 1));
        LeaseSnapshot own = store.read();
        api.fault(method("PUT"), MockApiServer.status(409, "the object has been modified"));
        assertThatThrownBy(() -> store.replace(own, renewed(first))).isInstanceOf(LeaseStoreException.class);
        assertThat(store.read().record()).isEqualTo(first);
    }

    @Test
    void aClaimThatIsRefusedOnceIsNoVictoryUnlessTheLeaseIsAsObserved() throws Exception {
        held(claim("a", 1));
        LeaseSnapshot observed = store.read();
        api.fault(method("PUT"), once((request, usual) -> {
            usual.answer(
                    request.withBody(request.body().replace("\"holderIdentity\":\"b\"", "\"holderIdentity\":\"c\"")));
            return MockApiServer.status(409, "the object has been modified").answer(request, usual);
        }));
        assertThat(store.replace(observed, claim("b", 2))).isEqualTo(WriteOutcome.SUPERSEDED);
    }

    @Test
    void aLeaseThatWasDeletedUnderItsHolderIsCreatedAnewWithItsEpoch() throws Exception {
        LeaseRecord ninth = held(claim("a", 9));
        LeaseSnapshot own = store.read();
        api.client().leases().withName(name).delete();
        assertThat(store.replace(own, renewed(ninth))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(store.read().record()).isEqualTo(renewed(ninth));
        assertThat(api.client().leases().withName(name).get().getSpec().getLeaseTransitions())
                .isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET get", "POST create", "PUT update"})
    void aMissingPermissionNamesTheVerbTheObjectAndWhatToDo(String methodAndVerb) throws Exception {
        String[] parts = methodAndVerb.split(" ", -1);
        if (!parts[1].equals("create")) {
            held(claim("a", 1));
        }
        api.fault(method(parts[0]), MockApiServer.status(403, "User pod cannot do that"));
        assertThatThrownBy(() -> held(claim("b", 2)))
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("to " + parts[1] + " leases.coordination.k8s.io \"" + name + "\"")
                .hasMessageContaining("namespace \"test\"")
                .hasMessageContaining("User pod cannot do that")
                .hasMessageContaining("a Role with the verb " + parts[1]);
    }

    @Test
    void aMissingPermissionForTheStateNamesItsObject() {
        KubernetesStateStore state = api.state(name);
        api.fault(method("GET"), MockApiServer.status(403, "User pod cannot do that"));
        assertThatThrownBy(state::head)
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("to get configmaps \"" + name + "-state\"");
    }

    @Test
    void aNamespaceThatDoesNotExistIsNoLeaseThatIsLost() {
        api.fault(method("POST"), MockApiServer.status(404, "namespaces not found"));
        assertThatThrownBy(() -> held(claim("a", 1)))
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("no such namespace");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 422, 429, 500, 503, 504})
    void anyOtherAnswerMeansCannotTellAndIsNotWaitedFor(int code) throws Exception {
        LeaseRecord first = held(claim("a", 1));
        LeaseSnapshot own = store.read();
        Fault fault = (request, usual) ->
                MockApiServer.status(code, "secret").answer(request, usual).setHeader("Retry-After", "30");
        api.fault(request -> true, fault);
        api.forgetRequests();
        long begunNs = System.nanoTime();
        assertThatThrownBy(store::read)
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("HTTP " + code)
                .hasMessageContaining(name)
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> store.write(own, renewed(first))).isInstanceOf(LeaseStoreException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begunNs)).isLessThan(Duration.ofSeconds(10));
        assertThat(api.requestsAbout(name)).isLessThanOrEqualTo(code == 401 ? 4 : 2);
        api.faultsOver();
        assertThat(store.replace(own, renewed(first))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aCallThatHangsEndsInTimeAndTheLateAnswerIsIgnored() throws Exception {
        KubernetesLeaseStore hurried = api.lease(name, new KubernetesStoreOptions(null, SHORT));
        LeaseRecord first = held(claim("a", 1));
        LeaseSnapshot own = await().ignoreExceptions().until(hurried::read, Objects::nonNull);
        api.fault(request -> true, MockApiServer.slow(Duration.ofSeconds(5)));
        long begunNs = System.nanoTime();
        Throwable told = catchThrowable(() -> hurried.write(own, renewed(first)));
        Duration took = Duration.ofNanos(System.nanoTime() - begunNs);
        assertThat(told).isInstanceOf(LeaseStoreException.class);
        assertThat(took).isBetween(SHORT.dividedBy(2), Duration.ofSeconds(4));
        api.faultsOver();
        await().ignoreExceptions()
                .untilAsserted(() -> assertThat(hurried.read().record()).isEqualTo(renewed(first)));
    }

    @Test
    void aWriteThatTheServerCarriesOutLateChangesNothing() throws Exception {
        LeaseSnapshot free = store.read();
        MockResponse created = late("POST", () -> store.write(free, claim("b", 1)), () -> held(claim("a", 1)));
        assertThat(created.code()).isEqualTo(409);
        LeaseSnapshot own = store.read();
        LeaseRecord first = Objects.requireNonNull(own.record());
        LeaseRecord second = renewed(first);
        MockResponse replaced = late("PUT", () -> store.write(own, second), () -> held(renewed(second)));
        assertThat(replaced.code()).isEqualTo(409);
        assertThat(store.read().record()).isEqualTo(renewed(second));
        StateSession session = api.state(name).open(1, "a", "lease-1");
        StateSession other = api.state(name).open(1, "a", "lease-1");
        MockResponse committed =
                late("PUT", () -> session.write(Map.of("orders", "1")), () -> other.write(Map.of("orders", "2")));
        assertThat(committed.code()).isEqualTo(409);
        assertThat(api.state(name).snapshot()).isEqualTo(Map.of("orders", "2"));
    }

    /** What the server answers when it carries out a call's request only after another call. */
    private static MockResponse late(String method, ThrowingCallable call, ThrowingCallable meanwhile)
            throws Exception {
        AtomicReference<Callable<MockResponse>> request = new AtomicReference<>();
        api.fault(method(method), once((held, usual) -> {
            request.set(() -> usual.answer(held));
            return MockApiServer.status(504, "later").answer(held, usual);
        }));
        assertThat(catchThrowable(call)).isNotNull();
        assertThat(catchThrowable(meanwhile)).isNull();
        api.faultsOver();
        return Objects.requireNonNull(request.get()).call();
    }

    @Test
    void anAnswerWhoseBodyNeverComesIsNotWaitedForForEver() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread answers = new Thread(() -> answerHalf(server));
            answers.start();
            Config config = new ConfigBuilder()
                    .withMasterUrl("http://127.0.0.1:" + server.getLocalPort())
                    .withNamespace("test")
                    .build();
            try (KubernetesClient client =
                            new KubernetesClientBuilder().withConfig(config).build();
                    KubernetesApi half = KubernetesApi.of(client, new KubernetesStoreOptions("test", SHORT))) {
                KubernetesLeaseStore unanswered = new KubernetesLeaseStore(half, "orders");
                // On a busy machine a call can end before its request has left.
                await().untilAsserted(() -> assertThatThrownBy(unanswered::read)
                        .isInstanceOf(LeaseStoreException.class)
                        .hasMessageContaining("no whole answer"));
            }
            server.close();
            answers.join();
        }
    }

    /** Answers every request, until the server is closed, with a beginning and nothing more. */
    private static void answerHalf(ServerSocket server) {
        List<Socket> unfinished = new ArrayList<>();
        try {
            for (; ; ) {
                Socket socket = server.accept();
                unfinished.add(socket);
                int unused = socket.getInputStream().read(new byte[4096]);
                socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
                                .getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            unfinished.forEach(KubernetesAnswersTest::close);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anInterruptedCallCannotTellAndKeepsTheFlagAndTheNextOneWorks() throws Exception {
        LeaseRecord first = held(claim("a", 1));
        LeaseSnapshot own = store.read();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> store.write(own, renewed(first))).isInstanceOf(LeaseStoreException.class);
        assertThat(Thread.interrupted()).isTrue();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> api.state(name).head()).isInstanceOf(StateStoreException.class);
        assertThat(Thread.interrupted()).isTrue();
        LeaseRecord second = first.renewed(2, first.ttl(), first.expiresAt());
        assertThat(store.replace(store.read(), second)).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void anEpochThatALeaseCannotHoldIsRefusedWithItsLimit() throws Exception {
        held(claim("a", Integer.MAX_VALUE));
        LeaseSnapshot observed = store.read();
        api.forgetRequests();
        assertThatThrownBy(() -> store.replace(observed, claim("b", 1L + Integer.MAX_VALUE)))
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("2147483648")
                .hasMessageContaining("leaseTransitions ends at 2147483647");
        assertThat(api.requests("PUT")).isEmpty();
    }

    @Test
    void aServerThatStoresSomethingElseIsTold() {
        api.fault(
                method("POST"),
                (request, usual) -> usual.answer(
                        request.withBody(request.body().replace(LeaseObjects.ANNOTATION, "example.com/changed"))));
        assertThatThrownBy(() -> held(claim("a", 1)))
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("admission webhook");
    }

    @Test
    void aStateThatDoesNotFitIsRefusedWithItsSizeBeforeItIsSent() {
        StateSession session = api.state(name).open(1, "a", "lease-1");
        session.write(Map.of("orders", "1"));
        api.forgetRequests();
        String large = "x".repeat(1024 * 1024);
        assertThatThrownBy(() -> session.write(Map.of("orders", large)))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("1048576")
                .hasMessageNotContaining("xxx");
        assertThat(api.requestsAbout(name)).isZero();
        session.write(Map.of("orders", "2"));
        assertThat(api.state(name).snapshot()).isEqualTo(Map.of("orders", "2"));
    }

    @Test
    void whatElseIsInTheConfigMapStays() {
        api.client()
                .configMaps()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name + "-state")
                        .addToLabels("team", "shop")
                        .endMetadata()
                        .addToData("note", "kept")
                        .build())
                .create();
        KubernetesStateStore state = api.state(name);
        assertThat(state.snapshot()).isEmpty();
        state.open(1, "a", "lease-1").write(Map.of("orders", "1"));
        assertThat(api.client().configMaps().withName(name + "-state").get()).satisfies(map -> {
            assertThat(map.getData()).containsEntry("note", "kept").hasSize(2);
            assertThat(map.getMetadata().getLabels()).containsEntry("team", "shop");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{\"lease\":\"x\"}", "not json"})
    void aStateThatCannotBeUnderstoodIsAnErrorThatNamesItAndIsKept(String text) {
        KubernetesStateStore state = api.state(name);
        state.open(1, "a", "lease-1").write(Map.of("secret-key", "secret-value"));
        Map<String, String> data = new HashMap<>(Map.of("state.json", text));
        api.client().configMaps().withName(name + "-state").edit(map -> {
            map.setData(data);
            return map;
        });
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(state::head, state::snapshot, () -> state.open(2, "b", "lease-1"))) {
            assertThatThrownBy(call)
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("configmaps/" + name + "-state")
                    .hasMessageContaining("state.json");
        }
        assertThat(api.client().configMaps().withName(name + "-state").get().getData())
                .isEqualTo(data);
    }

    private static Fault once(Fault fault) {
        AtomicInteger times = new AtomicInteger();
        return (request, usual) -> times.getAndIncrement() == 0 ? fault.answer(request, usual) : usual.answer(request);
    }
}
