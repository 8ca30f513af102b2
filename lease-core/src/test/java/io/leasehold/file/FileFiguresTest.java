package io.leasehold.file;

import io.leasehold.NetworkFaultsContract.Handle;
import io.leasehold.StoreFigures;
import io.leasehold.state.StateStore;
import io.leasehold.store.LeaseStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

class FileFiguresTest {
    @TempDir
    Path directory;

    /** The directories, as a process opens them. */
    private record Files(LeaseStore leases, StateStore states) implements Handle {

        @Override
        public void close() {}
    }

    private Files open() {
        return new Files(
                FileLeaseStore.open(directory.resolve("lease"), "orders", FileStoreOptions.DEFAULTS),
                FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS));
    }

    @Test
    @EnabledIfSystemProperty(named = "leasehold.figures", matches = "true")
    void figures() throws Exception {
        try (Files first = open();
                Files second = open()) {
            StoreFigures.print("files", first, second);
        }
    }
}
