package io.leasehold.file;

import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.nio.file.Path;

/** The lease in a directory. */
public final class FileLeaseStore implements LeaseStore {
    private final Path directory;

    private FileLeaseStore(Path directory) {
        this.directory = directory;
    }

    /**
     * Opens the lease in a directory and checks that it can hold one.
     *
     * @param directory the directory
     * @param leaseName the lease's name, which the marker has to show
     * @param options how files are made
     * @return the store
     * @throws UnsuitableDirectoryException when the directory cannot hold the lease until a person changes something
     */
    public static FileLeaseStore open(Path directory, String leaseName, FileStoreOptions options) {
        return new FileLeaseStore(directory);
    }

    @Override
    public LeaseSnapshot read() throws LeaseStoreException {
        throw new UnsupportedOperationException();
    }

    @Override
    public void initialize() throws LeaseStoreException {
        throw new UnsupportedOperationException();
    }

    @Override
    public WriteOutcome replace(LeaseSnapshot expected, LeaseRecord next) throws LeaseStoreException {
        throw new UnsupportedOperationException();
    }

    @Override
    public String location() {
        return directory.toString();
    }
}
