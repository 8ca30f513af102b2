package io.leasehold.torture;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.leasehold.LeaderLease;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.slf4j.Logger;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/**
 * The code of {@link ReplicaProgram} in jars that any user can read. Jars, because a process that has them open needs no
 * further file for a class, as an application has it.
 */
final class ProgramCode {
    private final List<String> jars = new ArrayList<>();

    /** Puts the jars into a directory. */
    ProgramCode(Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        for (Class<?> type : new Class<?>[] {
            LeaderLease.class,
            ReplicaProgram.class,
            ObjectMapper.class,
            JsonParser.class,
            JsonFormat.class,
            Logger.class
        }) {
            Path jar = directory.resolve(jars.size() + ".jar");
            put(source(type), jar);
            Files.setPosixFilePermissions(jar, PosixFilePermissions.fromString("rw-r--r--"));
            jars.add(jar.toString());
        }
    }

    /** The command that starts the program, without its arguments. */
    List<String> command(List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto", "-Xmx48m"));
        command.add("-Dslf4j.internal.verbosity=ERROR");
        command.addAll(options);
        command.addAll(List.of("-cp", String.join(System.getProperty("path.separator"), jars)));
        command.add(ReplicaProgram.class.getName());
        return command;
    }

    private static Path source(Class<?> type) throws IOException {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IOException("The code of " + type + " is not in a file", e);
        }
    }

    private static void put(Path source, Path jar) throws IOException {
        if (Files.isRegularFile(source)) {
            Files.copy(source, jar);
            return;
        }
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream entries = new JarOutputStream(out);
                Stream<Path> files = Files.walk(source)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                entries.putNextEntry(new ZipEntry(source.relativize(file).toString()));
                Files.copy(file, entries);
            }
        }
    }
}
