package io.leasehold.file;

import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreContract;
import io.leasehold.state.StateStoreRaceContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class FileStateStoreTest {
    @TempDir
    Path parent;

    private StateStore open() {
        return FileStateStore.open(parent.resolve("state"), "orders", FileStoreOptions.DEFAULTS);
    }

    @Nested
    class Contract extends StateStoreContract {
        @Override
        protected StateStore newHandle() {
            return open();
        }
    }

    @Nested
    class Races extends StateStoreRaceContract {
        @Override
        protected StateStore newHandle() {
            return open();
        }
    }
}
