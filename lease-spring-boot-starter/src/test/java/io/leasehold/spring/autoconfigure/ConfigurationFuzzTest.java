package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.LeasePhase;
import io.leasehold.LeaseStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.support.SpringFactoriesLoader;

/**
 * Every property with values that nobody should write: the application works, or tells which property is wrong, and touches no
 * file outside of the configured directory. The pairs are tried in random order for some seconds, which {@code
 * -Dleasehold.fuzz.seconds} sets; {@code -Dleasehold.fuzz.seed} sets the order.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class ConfigurationFuzzTest {
    private static final int SECONDS = 15;

    /** What a person may have to look for in the message in place of the property: the other side of a broken relation. */
    private static final Map<String, String> RELATED =
            Map.of("ttl", "renew-interval", "renew-interval", "verify-delay", "drain-timeout", "renew-interval");

    private static final List<String> PROPERTIES = List.of(
            "lease.enabled",
            "lease.name",
            "spring.application.name",
            "lease.holder-id",
            "lease.store",
            "lease.file.path",
            "lease.file.create",
            "lease.file.group-access",
            "lease.state.path",
            "lease.ttl",
            "lease.renew-interval",
            "lease.drain-timeout",
            "lease.verify-delay",
            "lease.max-clock-skew",
            "lease.listeners",
            "lease.start-attempts",
            "lease.integration-role",
            "lease.leader-only.enabled",
            "lease.leases",
            "lease.leases.a",
            "lease.leases.a.holder-id",
            "lease.leases.a.file.path",
            "lease.leases.a.state.path",
            "lease.leases.a.ttl",
            "lease.leases.a.renew-interval",
            "lease.leases.a.drain-timeout",
            "lease.leases.a.verify-delay",
            "lease.leases.a.max-clock-skew",
            "lease.leases.a.listeners",
            "lease.leases.a.start-attempts",
            "lease.leases.a.integration-role",
            "lease.leases[#].ttl");

    private static final List<String> VALUES = List.of(
            "",
            " ",
            "\t\r\n",
            "0",
            "-1",
            "30",
            "-30s",
            "0s",
            "1ms",
            "30s",
            "500us",
            "1.5s",
            "P1000000000D",
            "PT9223372036854775807S",
            "PT-9223372036854775808S",
            "365d",
            "366d",
            "2147483647",
            "2147483648",
            "-2147483648",
            "99999999999999999999",
            "1e9",
            "NaN",
            "true",
            "no",
            "null",
            "\0",
            "a\0b",
            "a\nb",
            "\u001b[31mred",
            "\u202eorders",
            "\ud83d\ude80",
            "\ud800",
            "k\u00fcche",
            "\u0667",
            ".",
            "..",
            "../x",
            "../../../x",
            "/",
            "//",
            "x/../y",
            "x/../../y",
            "~",
            "a,b",
            ",",
            "[]",
            "{}",
            "%s%n",
            "\\",
            "\"",
            "'",
            "C:\\x",
            "file:/x",
            "x".repeat(201),
            "x".repeat(300),
            "x/".repeat(300),
            "x/".repeat(50_000),
            "../".repeat(50_000),
            "x".repeat(1_000_000),
            "con",
            "-",
            "--",
            "a b",
            "state",
            "lease",
            "marker.json",
            "1.json");

    @TempDir
    Path temporary;

    private record Pair(String property, String value) {
        @Override
        public String toString() {
            String start = value.substring(0, Math.min(60, value.length()));
            return property + "=" + start.replaceAll("\\p{Cc}", "?") + " (" + value.length() + " characters)";
        }
    }

    private final ApplicationContextRunner runner =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(LeaseAutoConfiguration.class));

    @Test
    void everyValueWorksOrItsPropertyIsNamed() {
        long seed = Long.getLong("leasehold.fuzz.seed", 1);
        long untilNs =
                System.nanoTime() + TimeUnit.SECONDS.toNanos(Integer.getInteger("leasehold.fuzz.seconds", SECONDS));
        List<Pair> pairs = new ArrayList<>();
        PROPERTIES.forEach(property -> VALUES.forEach(value -> pairs.add(new Pair(property, value))));
        Collections.shuffle(pairs, new Random(seed));
        List<String> faults = new ArrayList<>();
        int tried = 0;
        for (Pair pair : pairs) {
            try {
                tryOut(pair, temporary.resolve("fuzz-" + tried));
            } catch (Exception | Error e) {
                faults.add(pair + ": " + Printable.of(String.valueOf(e)));
            }
            tried++;
            if (System.nanoTime() - untilNs > 0) {
                break;
            }
        }
        System.out.println("Fuzz: properties, order " + seed + ", " + tried + " of " + pairs.size());
        assertThat(faults).isEmpty();
    }

    private void tryOut(Pair pair, Path base) throws IOException {
        Path inside = Files.createDirectories(
                base.resolve("outside").resolve("around").resolve("inside"));
        Map<String, Object> properties = new HashMap<>();
        properties.put("spring.application.name", "orders");
        properties.put("lease.file.path", inside.resolve("lease").toString());
        properties.put("lease.ttl", "5s");
        String key = pair.property.replace("#", pair.value);
        boolean path = key.endsWith(".path") && !pair.value.isBlank() && !pair.value.startsWith("/");
        Path named = path && pair.value.indexOf('\0') < 0 ? resolved(inside, pair.value) : null;
        properties.put(key, pair.property.contains("#") ? "6s" : path ? inside + "/" + pair.value : pair.value);
        if (key.startsWith("lease.leases")) {
            Files.createDirectory(inside.resolve("lease"));
        }
        Set<String> before = names(base);
        runner.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("fuzz", properties)))
                .run(context -> check(pair, context));
        Path configured = named == null ? inside.resolve("lease") : named;
        for (String name : names(base)) {
            Path made = base.resolve(name);
            assertThat(before.contains(name) || made.startsWith(configured) || made.startsWith(inside.resolve("lease")))
                    .as("made %s", name)
                    .isTrue();
        }
    }

    private static @Nullable Path resolved(Path inside, String value) {
        try {
            return Path.of(inside + "/" + value).normalize();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static Set<String> names(Path base) throws IOException {
        try (Stream<Path> paths = Files.walk(base)) {
            return new TreeSet<>(
                    paths.map(path -> base.relativize(path).toString()).toList());
        }
    }

    private static void check(Pair pair, AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        if (failure == null) {
            context.getBeansOfType(LeaderLease.class).values().forEach(lease -> {
                await().atMost(Duration.ofSeconds(20)).until(() -> lease.isHeld() || tellsOfADirectory(lease.status()));
                lease.close();
                await().atMost(Duration.ofMinutes(1)).until(() -> lease.status().phase() == LeasePhase.CLOSED);
            });
            return;
        }
        FailureAnalysis analysis = Objects.requireNonNull(analysis(failure), "an analysis of " + failure);
        String text = analysis.getDescription() + analysis.getAction();
        String setting = pair.property.substring(pair.property.lastIndexOf('.') + 1);
        assertThat(text)
                .satisfiesAnyOf(
                        all -> assertThat(all).contains(pair.property),
                        all -> assertThat(all).contains("The lease's name, from " + pair.property),
                        all -> assertThat(all).contains("property " + setting + " of the lease"),
                        all -> assertThat(all).contains("lease.leases"),
                        all -> assertThat(all).contains("lease." + (setting.equals("path") ? "file.path" : setting)),
                        all -> assertThat(all).contains(RELATED.getOrDefault(setting, pair.property)));
        assertThat(analysis.getAction()).isNotBlank();
        if (!analysis.getDescription().startsWith("Failed to bind") && !setting.equals("path")) {
            assertThat(text).hasSizeLessThan(6000);
            assertThat(text.chars().noneMatch(Character::isISOControl))
                    .as("no control characters in %s", text)
                    .isTrue();
        }
    }

    /** A directory that holds something else is waited for, and named in the health. */
    private static boolean tellsOfADirectory(LeaseStatus status) {
        return (status.lastFailure() + status.stateFailure()).contains("/outside/");
    }

    private static @Nullable FailureAnalysis analysis(Throwable failure) {
        for (FailureAnalyzer analyzer : SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, (type, name, cause) -> {})) {
            FailureAnalysis analysis = analyzer.analyze(failure);
            if (analysis != null) {
                return analysis;
            }
        }
        return null;
    }
}
