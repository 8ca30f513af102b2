package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A RabbitMQ node as a child process, with ports, files, a cookie and a port mapper of its own. */
final class RabbitNode {
    private static final Path PROGRAM = Path.of("/usr/lib/rabbitmq/bin/rabbitmq-server");
    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();

    private final int port = freePort();
    private final int distributionPort = freePort();
    private final int mapperPort = freePort();
    private final Thread atExit = new Thread(this::end);
    private @Nullable Path directory;
    private @Nullable Process mapper;
    private @Nullable Process node;

    int port() {
        return port;
    }

    /** Returns when it accepts connections; what was durable is there again. */
    void start() throws IOException {
        Requirements.require(Files.isExecutable(PROGRAM), PROGRAM + " is not installed");
        if (directory == null) {
            directory = Files.createTempDirectory("rabbit");
            Runtime.getRuntime().addShutdownHook(atExit);
            // The node would leave behind one that it had to start itself.
            mapper = launch(directory, "epmd", "-address", LOOPBACK, "-port", Integer.toString(mapperPort));
        }
        Process started = launch(directory, PROGRAM.toString());
        node = started;
        await().atMost(LIMIT).until(() -> {
            assertThat(started.isAlive()).isTrue();
            return accepts();
        });
    }

    /** As a crash would. */
    void stop() {
        end(node);
        node = null;
    }

    /** Stops it for good and deletes its files. */
    void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(atExit);
        end();
        FileSystemUtils.deleteRecursively(directory);
        directory = null;
    }

    private void end() {
        end(node);
        end(mapper);
    }

    private static void end(@Nullable Process process) {
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().onExit().join();
        }
    }

    private Process launch(Path home, String... command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(home.resolve("log").toFile()))
                .redirectInput(new File("/dev/null"));
        builder.environment()
                .putAll(Map.ofEntries(
                        Map.entry("HOME", home.toString()),
                        Map.entry("RABBITMQ_NODENAME", "test@localhost"),
                        Map.entry("RABBITMQ_NODE_IP_ADDRESS", LOOPBACK),
                        Map.entry("RABBITMQ_NODE_PORT", Integer.toString(port)),
                        Map.entry("RABBITMQ_DIST_PORT", Integer.toString(distributionPort)),
                        Map.entry("ERL_EPMD_PORT", Integer.toString(mapperPort)),
                        Map.entry("RABBITMQ_MNESIA_BASE", home + "/mnesia"),
                        Map.entry("RABBITMQ_LOG_BASE", home + "/logs"),
                        Map.entry("RABBITMQ_LOGS", "-"),
                        Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", home + "/plugins"),
                        Map.entry("RABBITMQ_CONF_ENV_FILE", home + "/absent"),
                        Map.entry("RABBITMQ_CONFIG_FILE", home + "/absent"),
                        // The script then becomes the node instead of starting it.
                        Map.entry("RUNNING_UNDER_SYSTEMD", "1")));
        return builder.start();
    }

    private boolean accepts() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
