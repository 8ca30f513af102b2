package io.leasehold;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The shipped code with one place in its source changed, compiled and loaded beside it. */
final class MutantSource {
    private static final Path SOURCES = Path.of("src", "main", "java", "io", "leasehold");
    private static final String PACKAGE = "io.leasehold.";

    private MutantSource() {}

    /**
     * A place in a file of the package.
     *
     * @param shipped what is there exactly once, however it is broken into lines
     * @param changed what is put in its place
     */
    record Edit(String file, String shipped, String changed) {
        private Pattern place() {
            return Pattern.compile(
                    Arrays.stream(shipped.split(" ")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
        }
    }

    /**
     * Compiles it.
     *
     * @param output where the classes go
     * @return a loader of the changed code and of the tests, and of nothing else
     */
    static URLClassLoader load(List<Edit> edits, Path output) throws IOException {
        Map<String, String> changed = new LinkedHashMap<>();
        for (Edit edit : edits) {
            String text = changed.get(edit.file);
            if (text == null) {
                text = Files.readString(SOURCES.resolve(edit.file));
            }
            Matcher place = edit.place().matcher(text);
            if (!place.find() || place.find()) {
                throw new IllegalArgumentException("This has to be in " + edit.file + " exactly once: " + edit.shipped);
            }
            changed.put(edit.file, edit.place().matcher(text).replaceFirst(Matcher.quoteReplacement(edit.changed)));
        }
        List<Path> sources = new ArrayList<>();
        for (Map.Entry<String, String> file : changed.entrySet()) {
            Path source = output.resolve("src").resolve(file.getKey());
            Files.createDirectories(source.getParent());
            sources.add(Files.writeString(source, file.getValue()));
        }
        Path classes = Files.createDirectories(output.resolve("classes"));
        compile(sources, classes);
        return new ChangedFirst(
                new URL[] {url(classes), codeOf(MutantSource.class), codeOf(LeaseElection.class)},
                MutantSource.class.getClassLoader());
    }

    private static void compile(List<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler =
                Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "the tests need a JDK, not only a JRE");
        StringWriter messages = new StringWriter();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            files,
                            null,
                            List.of("-proc:none", "-parameters", "-nowarn", "-cp", classPath, "-d", classes.toString()),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiled) {
                throw new IllegalArgumentException(sources + " does not compile: " + messages);
            }
        }
    }

    private static URL codeOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Loads this project's classes itself, and all others as everybody does. */
    private static final class ChangedFirst extends URLClassLoader {
        ChangedFirst(URL[] code, ClassLoader parent) {
            super(code, parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                return name.startsWith(PACKAGE) ? findClass(name) : super.loadClass(name, resolve);
            }
        }
    }
}
