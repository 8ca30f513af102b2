package io.leasehold.file;

import io.leasehold.file.SimulatedFiles.Operation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One operation on files that a process asks for.
 *
 * @param path what it is done to; for a link or a move the name that it makes
 * @param from the existing file of a link or a move; null for all others
 * @param text what a new file gets to hold; empty for all others
 * @param limit the most that is read
 */
public record FileRequest(
        Operation operation, Path path, @Nullable Path from, String text, int limit) {

    /** What is answered to a request that succeeds: the names in a directory, what is in a file, or nothing. */
    public record Answer(List<String> names, @Nullable String text) {
        static final Answer DONE = new Answer(List.of(), null);
    }

    /** Does it. */
    public Answer performOn(SimulatedDisk disk) throws IOException {
        switch (operation) {
            case LIST -> {
                return new Answer(disk.list(path), null);
            }
            case READ -> {
                byte[] contents = disk.read(path, limit);
                return new Answer(List.of(), contents == null ? null : text(contents));
            }
            case CREATE -> disk.create(path).accept(bytes(text));
            case LINK -> disk.link(path, Objects.requireNonNull(from));
            case MOVE -> disk.move(Objects.requireNonNull(from), path);
            case SYNC -> disk.sync(path);
            case DELETE -> disk.delete(path);
            case CREATE_DIRECTORY -> disk.createDirectory(path);
        }
        return Answer.DONE;
    }

    /** Whether it only reads. */
    public boolean reads() {
        return operation == Operation.LIST || operation == Operation.READ;
    }

    /** Whether it makes or takes away a file that no other process looks at, except to clean up. */
    public boolean concernsATemporaryFile() {
        return (operation == Operation.CREATE || operation == Operation.DELETE) && isTemporary(name(path));
    }

    /** Whether a name is that of a temporary file. */
    public static boolean isTemporary(String name) {
        return WholeFiles.isTemporaryUpTo(Long.MAX_VALUE, name);
    }

    /** Whether it reads the marker, which nobody ever writes again. */
    public boolean readsTheMarker() {
        return operation == Operation.READ && name(path).equals(EpochDirectory.MARKER);
    }

    static String text(byte[] contents) {
        return new String(contents, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    @Override
    public String toString() {
        return operation + " " + path;
    }
}
