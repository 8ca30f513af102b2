package io.leasehold.file;

import io.leasehold.file.EpochDirectory.Kind;
import io.leasehold.file.FileRequest.Answer;
import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.json.Json;
import io.leasehold.json.Json.Marker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A process's way to files that are in somebody else's hands: each operation is asked for, and answered from there. */
public final class RequestedFiles implements FileOperations {
    /** Whoever has the files. */
    public interface Answering {

        /** Called on the thread that needs the answer; may keep it waiting. */
        Answer answer(FileRequest request) throws IOException;
    }

    private final Answering answering;

    public RequestedFiles(Answering answering) {
        this.answering = answering;
    }

    /** The shipped lease store over these files. */
    public FileLeaseStore leaseStore(Path path, String leaseName) {
        return new FileLeaseStore(new EpochDirectory(path, Kind.LEASE, leaseName, this), true);
    }

    /** The shipped state store over these files. */
    public FileStateStore stateStore(Path path, String leaseName) {
        return new FileStateStore(new EpochDirectory(path, Kind.STATE, leaseName, this), true);
    }

    /** Makes the two directories of a lease as they are after its first use. */
    public static void install(SimulatedDisk disk, Path lease, Path state, String leaseName, String id)
            throws IOException {
        installOne(disk, lease, new Marker("lease", leaseName, id));
        installOne(disk, state, new Marker("state", leaseName, id));
    }

    private static void installOne(SimulatedDisk disk, Path directory, Marker marker) throws IOException {
        disk.install(directory);
        disk.create(directory.resolve(EpochDirectory.MARKER)).accept(Json.write(marker));
        disk.sync(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return ask(Operation.LIST, directory, null, "", 0).names();
    }

    @Override
    public byte @Nullable [] read(Path file, int limit) throws IOException {
        String text = ask(Operation.READ, file, null, "", limit).text();
        return text == null ? null : FileRequest.bytes(text);
    }

    @Override
    public void create(Path file, byte[] contents) throws IOException {
        ask(Operation.CREATE, file, null, FileRequest.text(contents), 0);
    }

    @Override
    public void link(Path name, Path existing) throws IOException {
        ask(Operation.LINK, name, existing, "", 0);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        ask(Operation.MOVE, to, from, "", 0);
    }

    @Override
    public void sync(Path directory) throws IOException {
        ask(Operation.SYNC, directory, null, "", 0);
    }

    @Override
    public void delete(Path file) throws IOException {
        ask(Operation.DELETE, file, null, "", 0);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        ask(Operation.CREATE_DIRECTORY, directory, null, "", 0);
    }

    private Answer ask(Operation operation, Path path, @Nullable Path from, String text, int limit) throws IOException {
        return answering.answer(new FileRequest(operation, path, from, text, limit));
    }
}
