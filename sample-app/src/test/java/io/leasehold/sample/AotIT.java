package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs what was processed ahead of time at the build. */
class AotIT {
    private static final Duration LONG = Duration.ofMinutes(2);

    @TempDir
    private Path directory;

    @Test
    void aReplicaThatWasProcessedAheadOfTimeLeadsAndReleases() throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Path lease = directory.resolve("lease");
        Process replica = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Dspring.aot.enabled=true",
                        "-jar",
                        System.getProperty("sample.jar"),
                        "replica",
                        "--server.port=0",
                        "--sample.broker-port=1",
                        "--lease.file.path=" + lease)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            await().atMost(LONG).until(() -> Files.exists(lease.resolve("state/1.json")) || !replica.isAlive());
            await().atMost(LONG)
                    .until(() -> Files.readString(lease.resolve("1.json"), StandardCharsets.UTF_8)
                                    .contains("\"sequence\":")
                            || !replica.isAlive());
            replica.destroy();

            assertThat(replica.waitFor(LONG.toSeconds(), TimeUnit.SECONDS))
                    .as(Files.readString(output, StandardCharsets.UTF_8))
                    .isTrue();
            assertThat(output).content().contains("Starting AOT-processed SampleApplication");
            assertThat(lease.resolve("1.json")).content().contains("\"released\":true");
        } finally {
            replica.destroyForcibly();
        }
    }
}
