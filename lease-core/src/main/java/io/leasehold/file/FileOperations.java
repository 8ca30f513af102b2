package io.leasehold.file;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operations on files that the protocol is made of; each is one step that can fail, or be followed by a pause of any
 * length. There is no look at a file but opening and reading it, and none at a directory but listing it: anything else may
 * be answered from a cache on a network file system.
 */
interface FileOperations {

    /** The names in a directory. Throws {@link java.nio.file.NoSuchFileException} where there is no directory. */
    List<String> list(Path directory) throws IOException;

    /** The first bytes of a file, at most so many; null where there is no file. */
    byte @Nullable [] read(Path file, int limit) throws IOException;

    /** Creates a file that must not exist, writes it and syncs it. */
    void create(Path file, byte[] contents) throws IOException;

    /** Gives an existing file a second name that must not exist. */
    void link(Path name, Path existing) throws IOException;

    /** Renames a file over another one, atomically. */
    void move(Path from, Path to) throws IOException;

    /** Makes creations, links and renames in a directory durable. */
    void sync(Path directory) throws IOException;

    /** Deletes a file; none there is no failure. */
    void delete(Path file) throws IOException;

    /** Creates a directory, not its parents; one that is there already is no failure. */
    void createDirectory(Path directory) throws IOException;
}
