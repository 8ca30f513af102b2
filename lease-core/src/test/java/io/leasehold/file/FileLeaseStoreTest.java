package io.leasehold.file;

import io.leasehold.store.GarbledLeaseContract;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.LeaseStoreContract;
import io.leasehold.store.LeaseStoreRaceContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class FileLeaseStoreTest {
    @TempDir
    Path directory;

    private LeaseStore open() {
        return FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS);
    }

    @Nested
    class Contract extends LeaseStoreContract {
        @Override
        protected LeaseStore newHandle() {
            return open();
        }
    }

    @Nested
    class Races extends LeaseStoreRaceContract {
        @Override
        protected LeaseStore newHandle() {
            return open();
        }
    }

    @Nested
    class Garbled extends GarbledLeaseContract {
        @Override
        protected LeaseStore newHandle() {
            return open();
        }

        @Override
        protected void garble(long epoch, String contents) throws Exception {
            Files.writeString(directory.resolve(epoch + ".json"), contents);
        }
    }
}
