package io.leasehold.spring;

import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A real Redis in a process of its own, which keeps nothing; started again it has the port that it had before. */
final class RedisServer implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/redis-server");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final int port = freePort();
    private @Nullable Process process;
    private @Nullable Path directory;

    void start() throws IOException {
        directory = Files.createTempDirectory("redis");
        run(List.of("--save", "", "--appendonly", "no", "--dir", directory.toString()));
    }

    /** As a sentinel of a master that it calls main. */
    void startSentinel(int master) throws IOException {
        directory = Files.createTempDirectory("sentinel");
        Path configuration = Files.writeString(
                directory.resolve("sentinel.conf"), "sentinel monitor main 127.0.0.1 " + master + " 1\n");
        run(List.of(configuration.toString(), "--sentinel"));
    }

    private void run(List<String> options) throws IOException {
        Requirements.require(Files.isExecutable(PROGRAM), "there is no " + PROGRAM + " (package redis-server)");
        List<String> command = new ArrayList<>();
        command.add(PROGRAM.toString());
        command.addAll(options);
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        // Also where a test is broken off.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        await().atMost(LIMIT).ignoreExceptions().until(() -> command("PING").equals("+PONG"));
    }

    /** At once, as if killed. */
    @Override
    public void close() throws IOException, InterruptedException {
        if (process != null) {
            process.destroyForcibly();
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("redis-server does not end");
            }
            process = null;
            FileSystemUtils.deleteRecursively(directory);
        }
    }

    String[] properties() {
        return new String[] {"spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port};
    }

    int port() {
        return port;
    }

    /** The first line of the answer, with its type. */
    String command(String... words) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            OutputStream out = socket.getOutputStream();
            StringBuilder request = new StringBuilder("*" + words.length + "\r\n");
            for (String word : words) {
                request.append('$')
                        .append(word.getBytes(StandardCharsets.UTF_8).length)
                        .append("\r\n")
                        .append(word)
                        .append("\r\n");
            }
            out.write(request.toString().getBytes(StandardCharsets.UTF_8));
            out.flush();
            BufferedReader answer =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String line = answer.readLine();
            if (line == null) {
                throw new IOException("redis-server has closed the connection");
            }
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
