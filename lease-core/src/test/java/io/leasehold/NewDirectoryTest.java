package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.store.LeaseStoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NewDirectoryTest {
    @TempDir
    Path directory;

    private FileLeaseStore lease() {
        return FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS);
    }

    private FileStateStore state() {
        return FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS);
    }

    @Test
    void aNewLeaseAndTheDirectoryOfItsStateBelowItCanBeOpenedInAnyOrder() throws LeaseStoreException {
        FileLeaseStore store = lease();
        FileStateStore states = state();
        store.initialize();
        String id = store.read().leaseId();
        assertThat(id).isNotNull();
        assertThat(states.head().epoch()).isZero();
    }

    @Test
    void aStateThatHoldsSomethingIsNoNewLease() throws LeaseStoreException {
        state().open(1, "a", "lease-1");
        FileLeaseStore store = lease();
        assertThatThrownBy(store::initialize)
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("has no marker, but holds state");
        assertThat(store.read().leaseId()).isNull();
    }

    @Test
    void aFileOrAFullDirectoryIsNoNewLease() throws IOException, LeaseStoreException {
        FileLeaseStore store = lease();
        Files.createFile(directory.resolve("notes.txt"));
        assertThatThrownBy(store::initialize).hasMessageContaining("has no marker, but holds notes.txt");
        Files.delete(directory.resolve("notes.txt"));
        Files.createDirectories(directory.resolve("other/below"));
        assertThatThrownBy(store::initialize).hasMessageContaining("has no marker, but holds other");
        assertThat(store.read().leaseId()).isNull();
    }
}
