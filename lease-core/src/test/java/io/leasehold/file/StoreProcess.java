package io.leasehold.file;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.Appender;
import com.fasterxml.jackson.annotation.JsonFormat;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/** Starts {@link StoreProgram} as a process of its own, from a copy of the code that any user can read. */
final class StoreProcess {
    /** What a process said, and whether it went well. */
    record Result(int status, String output) {}

    private final Path code;

    StoreProcess(Path code) throws IOException, URISyntaxException {
        this.code = Files.createDirectories(code);
        int number = 0;
        for (Path source : sources()) {
            copy(source, code.resolve(number++ + "-" + source.getFileName()));
        }
    }

    /** Runs the program by a command that comes before it. */
    Result run(List<String> before, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-cp");
        command.add(String.join(System.getProperty("path.separator"), classPath()));
        command.add(StoreProgram.class.getName());
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(code.toFile())
                .start();
        try {
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> classPath() throws IOException {
        try (Stream<Path> entries = Files.list(code)) {
            return entries.sorted().map(Path::toString).toList();
        }
    }

    private static Set<Path> sources() throws URISyntaxException {
        Set<Path> sources = new LinkedHashSet<>();
        for (Class<?> type : new Class<?>[] {
            FileLeaseStore.class,
            StoreProgram.class,
            ObjectMapper.class,
            JsonParser.class,
            JsonFormat.class,
            Logger.class,
            LoggerContext.class,
            Appender.class
        }) {
            sources.add(Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI()));
        }
        return sources;
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        try (Stream<Path> files = Files.walk(to)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.setPosixFilePermissions(
                        file, PosixFilePermissions.fromString(Files.isDirectory(file) ? "rwxr-xr-x" : "rw-r--r--"));
            }
        }
    }
}
