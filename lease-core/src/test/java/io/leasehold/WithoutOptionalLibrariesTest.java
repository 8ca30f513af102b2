package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/** The library as it is for an application that brings none of the optional jars. */
class WithoutOptionalLibrariesTest {
    /** What needs the library of its store; everything else needs none. */
    private static final List<String> WITH_LIBRARY =
            List.of("io.leasehold.kubernetes.", "io.leasehold.redis.", "io.leasehold.jdbc.PostgresNotices");

    private final URLClassLoader needed = new URLClassLoader(
            Stream.of(
                            LeaderLease.class,
                            MinimalProgram.class,
                            ObjectMapper.class,
                            JsonParser.class,
                            JsonFormat.class,
                            Logger.class,
                            NullMarked.class)
                    .map(WithoutOptionalLibrariesTest::source)
                    .distinct()
                    .toArray(URL[]::new),
            ClassLoader.getPlatformClassLoader());

    @TempDir
    Path directory;

    private static URL source(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @AfterEach
    void close() throws IOException {
        needed.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "io.fabric8.kubernetes.client.KubernetesClient",
                "io.lettuce.core.RedisClient",
                "org.postgresql.PGConnection",
                "ch.qos.logback.classic.Logger"
            })
    void optionalLibrariesAreNotThere(String type) {
        assertThatThrownBy(() -> needed.loadClass(type)).isInstanceOf(ClassNotFoundException.class);
    }

    @Test
    void aLeaseInFilesIsLed() throws Exception {
        Object snapshot = needed.loadClass(MinimalProgram.class.getName())
                .getMethod("lead", Path.class)
                .invoke(null, directory);
        assertThat(snapshot).isEqualTo(Map.of("epoch", "1"));
    }

    @Test
    void everythingButTheStoresOnServersIsLinked() throws Exception {
        List<String> types = types();
        assertThat(types).hasSizeGreaterThan(50);
        for (String name : types) {
            Class<?> type = Class.forName(name, true, needed);
            assertThat(type.getDeclaredMethods()).as(name).isNotNull();
            assertThat(type.getDeclaredFields()).as(name).isNotNull();
            assertThat(type.getDeclaredConstructors()).as(name).isNotNull();
        }
    }

    private static List<String> types() throws Exception {
        Path classes = Path.of(source(LeaderLease.class).toURI());
        try (Stream<Path> files = Files.walk(classes)) {
            return files.map(file -> classes.relativize(file).toString())
                    .filter(file -> file.endsWith(".class"))
                    .map(file -> file.substring(0, file.length() - ".class".length())
                            .replace(classes.getFileSystem().getSeparator(), "."))
                    .filter(type -> WITH_LIBRARY.stream().noneMatch(type::startsWith))
                    .toList();
        }
    }
}
