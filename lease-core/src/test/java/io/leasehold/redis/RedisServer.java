package io.leasehold.redis;

import static org.awaitility.Awaitility.await;

import io.leasehold.Requirements;
import io.lettuce.core.RedisURI;
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

/** A real Redis in a process of its own, which keeps nothing; started again it has the port that it had before. */
public final class RedisServer implements AutoCloseable {
    private static final Path PROGRAM = Path.of("/usr/bin/redis-server");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static @Nullable RedisServer shared;

    private final int port = freePort();
    private @Nullable Process process;

    /** The one server that tests share which do it no harm. */
    public static synchronized RedisServer shared() {
        if (shared == null) {
            RedisServer server = new RedisServer();
            server.start();
            shared = server;
        }
        return shared;
    }

    void start(String... options) {
        forget();
        List<String> all = new ArrayList<>(List.of("--save", "", "--appendonly", "no"));
        all.addAll(List.of(
                "--dir",
                System.getProperty("java.io.tmpdir"),
                "--dbfilename",
                copy().getFileName().toString()));
        all.addAll(List.of(options));
        run(all);
    }

    /** As a sentinel, which writes to its configuration. */
    void startSentinel(Path configuration) {
        run(List.of(configuration.toString(), "--sentinel"));
    }

    private void run(List<String> options) {
        Requirements.require(Files.isExecutable(PROGRAM), "there is no " + PROGRAM + " (package redis-server)");
        List<String> command = new ArrayList<>();
        command.add(PROGRAM.toString());
        command.addAll(options);
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Also where a test is broken off.
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        await().atMost(LIMIT).ignoreExceptions().until(() -> !command("PING").isEmpty());
    }

    /** What a replica got from its master is in a file. */
    private void forget() {
        try {
            Files.deleteIfExists(copy());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path copy() {
        return Path.of(System.getProperty("java.io.tmpdir"), "none-" + port + ".rdb");
    }

    /** At once, as if killed. */
    @Override
    public void close() {
        if (process == null) {
            return;
        }
        process.destroyForcibly();
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("redis-server does not end");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        process = null;
        forget();
    }

    /** Stops the process where it is; it keeps its connections and takes new ones, and answers nothing. */
    void pause() {
        signal("-STOP");
    }

    /** Lets the process go on. */
    void resume() {
        signal("-CONT");
    }

    private void signal(String name) {
        if (process == null) {
            throw new IllegalStateException("redis-server does not run");
        }
        try {
            new ProcessBuilder("kill", name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int port() {
        return port;
    }

    /** Connections for the test to close. */
    public RedisConnections connections() {
        return RedisConnections.to(RedisURI.create("127.0.0.1", port));
    }

    /** The first line of the answer, with its type; for a text, the text. */
    public String command(String... words) {
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
            return line.startsWith("$") && !line.equals("$-1")
                    ? text(answer, Integer.parseInt(line.substring(1)))
                    : line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(BufferedReader answer, int bytes) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.toString().getBytes(StandardCharsets.UTF_8).length < bytes) {
            text.append((char) answer.read());
        }
        return text.toString();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
