package io.leasehold.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The operations on the file system of this machine, with the modes that the options ask for whatever the umask is. */
final class SystemFiles implements FileOperations {
    private final Set<PosixFilePermission> fileMode;
    private final Set<PosixFilePermission> directoryMode;

    SystemFiles(FileStoreOptions options) {
        fileMode = PosixFilePermissions.fromString(options.groupAccess() ? "rw-rw----" : "rw-------");
        directoryMode = PosixFilePermissions.fromString(options.groupAccess() ? "rwxrwx---" : "rwx------");
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                names.add(String.valueOf(entry.getFileName()));
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    /** A pipe would keep its reader for ever, so the kind is looked at before; a look that fails leaves it to the open. */
    @Override
    public byte @Nullable [] read(Path file, int limit) throws IOException {
        if (isSomethingElse(file)) {
            throw new FileSystemException(file.toString(), null, "is not a regular file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.readNBytes(limit);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static boolean isSomethingElse(Path file) {
        try {
            return !Files.readAttributes(file, BasicFileAttributes.class).isRegularFile();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void create(Path file, byte[] contents) throws IOException {
        Set<StandardOpenOption> createNew = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(file, createNew, attribute(fileMode))) {
            ByteBuffer buffer = ByteBuffer.wrap(contents);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            if (fileMode.contains(PosixFilePermission.GROUP_WRITE)) {
                Files.setPosixFilePermissions(file, fileMode);
            }
            channel.force(true);
        }
    }

    @Override
    public void link(Path name, Path existing) throws IOException {
        Files.createLink(name, existing);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        try {
            Files.createDirectory(directory, attribute(directoryMode));
        } catch (FileAlreadyExistsException e) {
            return;
        }
        if (directoryMode.contains(PosixFilePermission.GROUP_WRITE)) {
            Files.setPosixFilePermissions(directory, directoryMode);
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> attribute(Set<PosixFilePermission> mode) {
        return PosixFilePermissions.asFileAttribute(mode);
    }
}
