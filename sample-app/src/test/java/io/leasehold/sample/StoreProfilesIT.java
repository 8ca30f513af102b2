package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two replicas of the built jar with one more profile: one leads, and when it ends the other one does. */
class StoreProfilesIT {
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Pattern LEADS = Pattern.compile(" leads with epoch (\\d+)\n");
    private static final Path REDIS = Path.of("/usr/bin/redis-server");

    /** Held here, or its level would be forgotten with it: it tells of every request. */
    private static final Logger REQUEST_LOG = Logger.getLogger(MockWebServer.class.getName());

    @TempDir
    private Path directory;

    private final List<Process> processes = new ArrayList<>();

    private record Replica(Process process, Path output) {
        /** The epoch of its last term; 0 where it has led none. */
        long epoch() {
            return LEADS.matcher(text())
                    .results()
                    .mapToLong(found -> Long.parseLong(found.group(1)))
                    .max()
                    .orElse(0);
        }

        String text() {
            try {
                return Files.readString(output, StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @AfterEach
    void endAll() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    private Process start(Path output, Map<String, String> environment, List<String> command) throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private Replica replica(String name, String profile, Map<String, String> environment, String... options)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                System.getProperty("sample.jar"),
                "replica",
                "--spring.profiles.include=" + profile,
                "--server.port=0",
                // An embedded database may be closed before the release, which then waits for the ttl.
                "--lease.ttl=10s",
                "--sample.broker-port=1"));
        command.addAll(List.of(options));
        Path output = directory.resolve(name);
        return new Replica(start(output, environment, command), output);
    }

    private void handsOver(String profile, Map<String, String> environment, String... options) throws Exception {
        Replica one = replica("one", profile, environment, options);
        Replica two = replica("two", profile, environment, options);
        await().atMost(LONG).until(() -> one.epoch() > 0 || two.epoch() > 0 || !one.process.isAlive());
        boolean first = one.epoch() > 0;
        assertThat(two.epoch() > 0).as(one.text()).isNotEqualTo(first);
        Replica leader = first ? one : two;
        Replica standby = first ? two : one;
        long epoch = leader.epoch();
        await().atMost(LONG).until(() -> standby.text().contains("Started SampleApplication"));
        leader.process.destroy();
        assertThat(leader.process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
                .as(leader.text())
                .isTrue();
        await().atMost(LONG).until(() -> standby.epoch() > 0 || !standby.process.isAlive());
        assertThat(standby.epoch()).as(standby.text()).isGreaterThan(epoch);
    }

    @Test
    void aLeaseInADatabase() throws Exception {
        handsOver(
                "jdbc",
                Map.of(),
                "--sample.database=jdbc:h2:file:" + directory.resolve("database") + ";AUTO_SERVER=TRUE");
    }

    @Test
    void aLeaseInRedis() throws Exception {
        if (!Files.isExecutable(REDIS)) {
            String reason = "there is no " + REDIS + " (package redis-server)";
            if (Boolean.getBoolean("leasehold.require-all")) {
                fail(reason);
            }
            abort(reason);
        }
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        Process unused = start(
                directory.resolve("redis"),
                Map.of(),
                List.of(REDIS.toString(), "--port", "" + port, "--bind", "127.0.0.1", "--save", ""));
        handsOver("redis", Map.of(), "--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + port);
    }

    @Test
    void aLeaseInKubernetes() throws Exception {
        KubernetesMockServer server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
        REQUEST_LOG.setLevel(Level.WARNING);
        server.init();
        try {
            Path cluster = Files.writeString(directory.resolve("kubeconfig"), """
                    apiVersion: v1
                    kind: Config
                    current-context: here
                    contexts:
                    - name: here
                      context: {cluster: here, user: me, namespace: shop}
                    clusters:
                    - name: here
                      cluster: {server: "http://127.0.0.1:%d"}
                    users:
                    - name: me
                      user: {token: any}
                    """.formatted(server.getPort()));
            handsOver("kubernetes", Map.of("KUBECONFIG", cluster.toString()));
        } finally {
            server.destroy();
        }
    }
}
