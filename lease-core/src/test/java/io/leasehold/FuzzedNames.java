package io.leasehold;

import io.leasehold.file.FuzzedContents;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** Puts things into a lease's directory whose names look like an epoch's, or that have an epoch's name and are no file. */
final class FuzzedNames {
    /** A number is put in for the sign. */
    private static final List<String> ALMOST = List.of(
            "0#.json",
            "00#.json",
            "#.json.tmp",
            "#.JSON",
            "#.Json",
            "+#.json",
            "-#.json",
            "#.0.json",
            "#e1.json",
            "#",
            "#.json~",
            "#.json.bak",
            ".#.json",
            "#..json",
            "#.json.",
            " #.json",
            "#.json ",
            "#.json\n",
            "\n#.json",
            "#.json\r",
            "0x#.json",
            "#L.json",
            "#_0.json",
            "0.json",
            "-0.json",
            ".json",
            "json",
            "#.jsonl",
            "#,0.json",
            "9223372036854775808.json",
            "18446744073709551617.json",
            "99999999999999999999.json",
            "\uff17.json",
            "\u0667.json",
            "#\u200b.json",
            "#.js\u00f6n",
            "marker.json.tmp",
            "Marker.json",
            "#.json.#.json",
            "1".repeat(240) + ".json");

    private final Path directory;
    private final FuzzedContents contents;
    private final SplittableRandom random;

    FuzzedNames(Path directory, FuzzedContents contents, SplittableRandom random) {
        this.directory = directory;
        this.contents = contents;
        this.random = random;
    }

    /** Something whose name is not an epoch's, but nearly one above that. */
    void plantAlmostEpoch(long epoch) {
        String name =
                ALMOST.get(random.nextInt(ALMOST.size())).replace("#", String.valueOf(epoch + 1 + random.nextInt(9)));
        try {
            Path path = directory.resolve(name);
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                plantAny(path, epoch);
            }
        } catch (InvalidPathException e) {
            // Not every name can be written in every locale.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void plantAny(Path path, long epoch) throws IOException {
        if (random.nextBoolean()) {
            Files.write(path, contents.garbled(Files.readString(directory.resolve("1.json"))));
        } else {
            plantNoFile(path, epoch);
        }
    }

    /** Something that has the name of an epoch above this one, and cannot be read as a file. */
    Path plantObstacle(long epoch) {
        Path path = directory.resolve((epoch + 1 + random.nextInt(3)) + ".json");
        try {
            plantNoFile(path, epoch);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return path;
    }

    /** Puts something that is no file in the place of an epoch's, which a rename can replace. */
    void replaceByNoFile(Path file) {
        try {
            Files.delete(file);
            if (random.nextBoolean()) {
                plantSocket(file);
            } else {
                Files.createSymbolicLink(file, random.nextBoolean() ? file : directory.resolve("nothing"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void plantNoFile(Path path, long epoch) throws IOException {
        switch (random.nextInt(5)) {
            case 0 -> Files.createDirectory(path);
            case 1 -> Files.createSymbolicLink(path, directory.resolve("nothing-" + epoch));
            case 2 -> Files.createSymbolicLink(path, path);
            case 3 -> Files.createSymbolicLink(path, directory);
            default -> plantSocket(path);
        }
    }

    /** The socket's file stays when it is closed. Its first name has to be a short one. */
    private void plantSocket(Path path) throws IOException {
        Path first = directory.resolveSibling("s");
        try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(first));
        }
        Files.move(first, path);
    }
}
