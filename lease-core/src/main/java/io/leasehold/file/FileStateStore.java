package io.leasehold.file;

import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import java.nio.file.Path;
import java.util.Map;

/** The state in a directory. */
public final class FileStateStore implements StateStore {
    private final Path directory;

    private FileStateStore(Path directory) {
        this.directory = directory;
    }

    /**
     * Opens the state in a directory and checks that it can hold one. A directory that does not exist is created at the
     * first {@link #open(long, String, String)}.
     *
     * @param directory the directory
     * @param leaseName the lease's name, which the marker has to show
     * @param options how files are made
     * @return the store
     * @throws UnsuitableDirectoryException when the directory cannot hold the state until a person changes something
     */
    public static FileStateStore open(Path directory, String leaseName, FileStoreOptions options) {
        return new FileStateStore(directory);
    }

    @Override
    public StateHead head() {
        throw new UnsupportedOperationException();
    }

    @Override
    public StateSession open(long epoch, String holder, String leaseId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, String> snapshot() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String location() {
        return directory.toString();
    }
}
