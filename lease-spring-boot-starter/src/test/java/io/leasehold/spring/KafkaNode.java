package io.leasehold.spring;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A Kafka node in this process, which is broker and controller in one and keeps its port and its files over a stop. */
final class KafkaNode {
    private final int port = freePort();
    private final int controllerPort = freePort();
    private @Nullable Path directory;
    private @Nullable KafkaRaftServer server;

    String address() {
        return "127.0.0.1:" + port;
    }

    void start() throws Exception {
        if (directory == null) {
            directory = Files.createTempDirectory("kafka");
            format(directory);
        }
        server = new KafkaRaftServer(new KafkaConfig(configuration(directory), false), Time.SYSTEM);
        server.startup();
    }

    void stop() {
        if (server != null) {
            server.shutdown();
            server.awaitShutdown();
            server = null;
        }
    }

    /** Stops it for good and deletes its files. */
    void close() throws IOException {
        stop();
        FileSystemUtils.deleteRecursively(directory);
        directory = null;
    }

    private Map<String, String> configuration(Path home) {
        return Map.ofEntries(
                Map.entry("node.id", "1"),
                Map.entry("process.roles", "broker,controller"),
                Map.entry("listeners", "PLAINTEXT://" + address() + ",CONTROLLER://127.0.0.1:" + controllerPort),
                Map.entry("advertised.listeners", "PLAINTEXT://" + address()),
                Map.entry("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT"),
                Map.entry("controller.listener.names", "CONTROLLER"),
                Map.entry("controller.quorum.voters", "1@127.0.0.1:" + controllerPort),
                Map.entry("log.dirs", home.toString()),
                Map.entry("offsets.topic.replication.factor", "1"),
                Map.entry("offsets.topic.num.partitions", "1"),
                Map.entry("group.initial.rebalance.delay.ms", "0"),
                // A node that starts again is kept waiting until its former self has been forgotten.
                Map.entry("broker.heartbeat.interval.ms", "300"),
                Map.entry("broker.session.timeout.ms", "1500"));
    }

    private static void format(Path home) throws Exception {
        new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(1)
                .setClusterId(Uuid.randomUuid().toString())
                .setReleaseVersion(MetadataVersion.latestProduction())
                .setControllerListenerName("CONTROLLER")
                .setMetadataLogDirectory(home.toString())
                .addDirectory(home.toString())
                .run();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
