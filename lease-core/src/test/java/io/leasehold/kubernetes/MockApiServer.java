package io.leasehold.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Dispatcher;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.fabric8.mockwebserver.http.Response;
import io.fabric8.mockwebserver.http.WebSocket;
import io.fabric8.mockwebserver.http.WebSocketListener;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * fabric8's API server for tests, over HTTP, with faults on request. It keeps objects, refuses a create of what exists and
 * an update whose resourceVersion is old, one request at a time, and serves watches.
 *
 * <p>It does not enforce, and a real API server does: authentication and roles; validation of names, of the spec (a
 * duration above 0, an int32) and of a ConfigMap's size; the existence of a namespace; that a PUT with the uid of an object
 * that was deleted is refused, and one without creates it anew; rate limits; admission. What the stores send and what they
 * make of each such answer is tested with the answers themselves.
 */
public final class MockApiServer implements AutoCloseable {
    /** What was asked. */
    record Request(String method, String path, String body, RecordedRequest original) {
        /** The same request with another body. */
        Request withBody(String other) {
            return new Request(method, path, other, original);
        }

        private boolean isAbout(String lease) {
            return path.endsWith("/" + lease)
                    || path.endsWith("/" + lease + "-state")
                    || body.contains("\"" + lease + "\"")
                    || body.contains("\"" + lease + "-state\"");
        }

        String header(String header) {
            return String.valueOf(original.getHeader(header));
        }

        private RecordedRequest toDispatch() {
            Buffer buffer = new Buffer(body.getBytes(StandardCharsets.UTF_8));
            return new RecordedRequest(
                    original.getHttpVersion(), original.method(), path, original.getHeaders(), buffer);
        }
    }

    /** What answers as usual. */
    interface Usual {
        MockResponse answer(Request request);
    }

    /** What is done with a request in place of the usual; must not wait. */
    interface Fault {
        MockResponse answer(Request request, Usual usual);
    }

    private record Rule(Predicate<Request> concerns, Fault fault) {}

    /** Long enough for a machine that is busy with other tests. */
    private static final KubernetesStoreOptions PATIENT = new KubernetesStoreOptions(null, Duration.ofSeconds(10));

    /** The code of a WebSocket whose end leaves (RFC 6455, section 7.4.1). */
    private static final int GOING_AWAY = 1001;

    /** Held here, or its level would be forgotten with it: it tells of every request. */
    private static final Logger REQUEST_LOG = Logger.getLogger(MockWebServer.class.getName());

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final KubernetesMockServer server;
    private final KubernetesClient client;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Map<WebSocketListener, WebSocket> watches = new ConcurrentHashMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private @Nullable KubernetesApi patient;

    public MockApiServer() {
        REQUEST_LOG.setLevel(Level.WARNING);
        KubernetesCrudDispatcher objects = new KubernetesCrudDispatcher();
        Dispatcher dispatcher = new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest recorded) {
                Request request =
                        new Request(recorded.getMethod(), recorded.getPath(), recorded.getUtf8Body(), recorded);
                requests.add(request);
                for (Rule rule : rules) {
                    if (rule.concerns.test(request)) {
                        return rule.fault.answer(request, asked -> unhindered(objects.dispatch(asked.toDispatch())));
                    }
                }
                return unhindered(objects.dispatch(request.toDispatch()));
            }
        };
        server = new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(), dispatcher, false);
        server.init();
        client = server.createClient();
    }

    /**
     * On hearing of a watch's end, the mock waits for what it still sends there, on the one thread that serves everybody, and
     * fails the requests that come meanwhile. It hears of it when the server closes; until then it sends in vain.
     */
    private MockResponse unhindered(MockResponse answer) {
        WebSocketListener watch = answer.getWebSocketListener();
        if (watch == null) {
            return answer;
        }
        return answer.withWebSocketUpgrade(new WebSocketListener() {
            @Override
            public void onOpen(WebSocket socket, Response response) {
                watch.onOpen(socket, response);
                watches.put(watch, socket);
            }

            @Override
            public void onClosing(WebSocket socket, int code, String reason) {
                watch.onClosing(socket, code, reason);
            }
        });
    }

    /** A name that no other test uses. */
    public static String newName() {
        return "orders-" + NAMES.incrementAndGet();
    }

    /** The client of an application, or of a person at the command line. */
    public KubernetesClient client() {
        return client;
    }

    public KubernetesLeaseStore lease(String name) {
        return new KubernetesLeaseStore(patient(), name);
    }

    public KubernetesLeaseStore lease(String name, KubernetesStoreOptions options) {
        return new KubernetesLeaseStore(connect(options), name);
    }

    public KubernetesStateStore state(String lease) {
        return new KubernetesStateStore(patient(), lease);
    }

    /** One client for all stores that no test wants to have another. */
    private KubernetesApi patient() {
        if (patient == null) {
            patient = connect(PATIENT);
        }
        return patient;
    }

    KubernetesApi connect(KubernetesStoreOptions options) {
        KubernetesApi made = KubernetesApi.of(client, options);
        opened.add(made);
        return made;
    }

    /** Somebody writes a text in place of the record of a lease. */
    public void garble(String lease, String contents) {
        client.leases().withName(lease).edit(found -> {
            found.getMetadata().getAnnotations().put(LeaseObjects.ANNOTATION, contents);
            return found;
        });
    }

    /** From now on, what concerns it is answered like this. */
    void fault(Predicate<Request> concerns, Fault fault) {
        rules.add(new Rule(concerns, fault));
    }

    void faultsOver() {
        rules.clear();
    }

    /** A refusal as the API server words it. */
    static Fault status(int code, String message) {
        return (request, usual) -> new MockResponse()
                .setResponseCode(code)
                .setHeader("Content-Type", "application/json")
                .setBody("{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":" + code
                        + ",\"message\":\"" + message + "\"}");
    }

    /** Done, and answered too late. */
    static Fault slow(Duration delay) {
        return (request, usual) -> usual.answer(request).setBodyDelay(delay);
    }

    /** The requests with one of these methods since the last call of {@link #forgetRequests()}. */
    List<Request> requests(String method) {
        return requests.stream()
                .filter(request -> request.method().equals(method))
                .toList();
    }

    /** How many of them were about the objects of a lease; those of other tests may still come. */
    long requestsAbout(String lease) {
        return requests.stream().filter(request -> request.isAbout(lease)).count();
    }

    public void forgetRequests() {
        requests.clear();
    }

    public void closeStores() throws Exception {
        for (AutoCloseable store : opened) {
            store.close();
        }
        opened.clear();
        patient = null;
    }

    @Override
    public void close() throws Exception {
        closeStores();
        client.close();
        watches.forEach((watch, socket) -> watch.onClosed(socket, GOING_AWAY, "The server is closed"));
        server.destroy();
    }
}
