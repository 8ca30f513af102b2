package io.leasehold.file;

import io.leasehold.StoreFigures;
import io.leasehold.TermEndsContract.Handle;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

class FileFiguresTest {
    @TempDir
    Path directory;

    private Handle open() {
        return new Handle(
                FileLeaseStore.open(directory.resolve("lease"), "orders", FileStoreOptions.DEFAULTS),
                FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS),
                () -> {});
    }

    @Test
    @EnabledIfSystemProperty(named = "leasehold.figures", matches = "true")
    void figures() throws Exception {
        try (Handle first = open();
                Handle second = open()) {
            StoreFigures.print("files", first, second);
        }
    }
}
