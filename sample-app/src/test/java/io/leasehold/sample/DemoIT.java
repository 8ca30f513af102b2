package io.leasehold.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Runs the built jar as a user would, with real processes that are killed and frozen. */
@DisabledOnOs(OS.WINDOWS)
class DemoIT {
    private static final int LONGEST_RUN_MINUTES = 10;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    @Timeout(value = LONGEST_RUN_MINUTES, unit = TimeUnit.MINUTES)
    void nothingIsLostAndNothingAcknowledgedTwiceOverThreeHandOvers() throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process demo = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + directory,
                        "-jar",
                        System.getProperty("sample.jar"),
                        "demo",
                        "--calm=1s")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int status;
        try {
            status = demo.waitFor();
        } finally {
            demo.destroy();
        }
        String text = Files.readString(output, StandardCharsets.UTF_8);

        assertThat(status).as(text).isZero();
        assertThat(figure(text, "events published")).as(text).isPositive();
        assertThat(figure(text, "lost")).as(text).isZero();
        assertThat(figure(text, "acknowledged twice")).as(text).isZero();
        assertThat(figure(text, "acknowledged") + figure(text, "in the checkpoint, acknowledgement not noted"))
                .as(text)
                .isEqualTo(figure(text, "events published"))
                .isEqualTo(figure(text, "final checkpoint"));
        assertThat(epochs(text)).as(text).hasSizeGreaterThan(3).isSorted().doesNotHaveDuplicates();
        assertThat(text).contains("killed (SIGKILL)   ", "frozen (SIGSTOP)   ", "stepped down   ");
        try (var left = Files.list(directory)) {
            assertThat(left).containsExactly(output);
        }
    }

    private static long figure(String text, String name) {
        return Long.parseLong(value(text, name));
    }

    private static List<Long> epochs(String text) {
        return Arrays.stream(value(text, "epochs used").split(", "))
                .map(Long::valueOf)
                .toList();
    }

    private static String value(String text, String name) {
        Matcher line = Pattern.compile("^ +" + Pattern.quote(name) + " {2,}(\\d[\\d, ]*)$", Pattern.MULTILINE)
                .matcher(text);
        assertThat(line.find()).as(name + " in: " + text).isTrue();
        return line.group(1);
    }
}
