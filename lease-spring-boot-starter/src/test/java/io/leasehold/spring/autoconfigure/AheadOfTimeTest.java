package io.leasehold.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** {@link AheadOfTimeApplication}, with several leases is processed ahead of time, compiled, and run in a process of its own. */
class AheadOfTimeTest {
    /** Without Pulsar, whose hints for reflection need a client that is not there, and without what is for development. */
    private static final String CLASS_PATH = Arrays.stream(
                    System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                            .split(File.pathSeparator, -1))
            .filter(entry -> !entry.contains("spring-pulsar") && !entry.contains("devtools"))
            .collect(Collectors.joining(File.pathSeparator));

    @TempDir
    Path directory;

    @Test
    void severalLeasesAndTheirMethodsCanBeProcessedAheadOfTime() throws IOException, InterruptedException {
        Path sources = directory.resolve("sources");
        Path resources = directory.resolve("resources");
        Path classes = directory.resolve("classes");
        String argument = "--lease.file.path=" + Files.createDirectory(directory.resolve("leases"));

        java(
                "-cp",
                CLASS_PATH,
                SpringApplicationAotProcessor.class.getName(),
                AheadOfTimeApplication.class.getName(),
                sources.toString(),
                resources.toString(),
                classes.toString(),
                "io.leasehold",
                "application",
                argument);
        compile(sources, classes);
        String output = java(
                "-Dspring.aot.enabled=true",
                "-cp",
                String.join(File.pathSeparator, classes.toString(), resources.toString(), CLASS_PATH),
                AheadOfTimeApplication.class.getName(),
                argument);

        assertThat(output)
                .contains("Starting AOT-processed AheadOfTimeApplication")
                .contains(AheadOfTimeApplication.DONE);
    }

    private String java(String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(arguments));
        Process run = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = run.waitFor(2, TimeUnit.MINUTES);
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended).as(text).isTrue();
            assertThat(run.exitValue()).as(text).isZero();
            return text;
        } finally {
            run.destroyForcibly();
        }
    }

    private static void compile(Path sources, Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp"));
        arguments.add(classes + File.pathSeparator + CLASS_PATH);
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
                .isZero();
    }
}
