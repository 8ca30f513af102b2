package io.leasehold.jdbc;

import io.leasehold.Requirements;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A MariaDB on a free port, until the process ends; with the server's own defaults, latin1 among them. */
final class MariaServer {
    private static final String INSTALL = "/usr/bin/mariadb-install-db";
    private static final String SERVER = "/usr/sbin/mariadbd";

    private static @Nullable MariaServer shared;

    private final int port;

    private MariaServer(int port) {
        this.port = port;
    }

    static synchronized int port() {
        if (shared == null) {
            Requirements.require(
                    Files.isExecutable(Path.of(SERVER)) && Files.isExecutable(Path.of(INSTALL)),
                    "MariaDB (mariadb-server) is not installed");
            shared = start();
        }
        return shared.port;
    }

    static String url() {
        return url(port());
    }

    static String url(int port) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/leasehold";
    }

    private static MariaServer start() {
        try {
            Path directory = Files.createTempDirectory("leasehold-mariadb-");
            Path data = directory.resolve("data");
            String user = "--user=" + System.getProperty("user.name");
            Process install = begin(
                    directory,
                    List.of(
                            INSTALL,
                            "--no-defaults",
                            user,
                            "--datadir=" + data,
                            "--auth-root-authentication-method=normal",
                            "--skip-test-db"));
            if (!install.waitFor(60, TimeUnit.SECONDS) || install.exitValue() != 0) {
                throw new IllegalStateException(
                        "MariaDB could not be set up: " + Files.readString(directory.resolve("log")));
            }
            int port = freePort();
            Process server = begin(
                    directory,
                    List.of(
                            SERVER,
                            "--no-defaults",
                            user,
                            "--datadir=" + data,
                            "--port=" + port,
                            "--bind-address=127.0.0.1",
                            "--socket=" + directory.resolve("s"),
                            "--pid-file=" + directory.resolve("pid"),
                            "--max-connections=200",
                            "--innodb-flush-log-at-trx-commit=0",
                            "--innodb-doublewrite=OFF",
                            "--skip-name-resolve"));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, directory)));
            awaitServer(server, port);
            return new MariaServer(port);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Process begin(Path directory, List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void awaitServer(Process server, int port) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(SQLException.class)
                .until(() -> {
                    if (!server.isAlive()) {
                        throw new IllegalStateException("MariaDB ended with " + server.exitValue());
                    }
                    try (Connection connection =
                                    DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + port + "/", "root", "");
                            Statement statement = connection.createStatement()) {
                        return !statement.execute("create database if not exists leasehold");
                    }
                });
    }

    private static void stop(Process server, Path directory) {
        server.destroy();
        try {
            if (!server.waitFor(10, TimeUnit.SECONDS)) {
                server.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
            }
            try (var files = Files.walk(directory)) {
                files.sorted(java.util.Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
