package io.leasehold.file;

import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt during file operations leaves an unknown outcome, the thread's flag, and stores that still work. */
class InterruptTest {
    @TempDir
    Path temporary;

    private TestDirectory lease;
    private TestDirectory state;

    @BeforeEach
    void begin() throws Exception {
        lease = new TestDirectory(temporary.resolve("lease"));
        state = new TestDirectory(temporary.resolve("state"));
        lease.leaseStore().initialize();
    }

    @AfterEach
    void clearTheFlag() {
        boolean unused = Thread.interrupted();
    }

    @Test
    void anInterruptedClaimIsUnknownAndTheStoreStillWorks() throws Exception {
        FileLeaseStore store = lease.leaseStore();
        LeaseSnapshot observed = store.read();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> store.replace(observed, claim("a", 1))).isInstanceOf(LeaseStoreException.class);
        assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
        assertThat(store.replace(store.read(), claim("a", 2))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(lease.names()).noneMatch(name -> name.endsWith(".tmp"));
    }

    @Test
    void anInterruptDoesNotKeepAReadFromAnswering() throws Exception {
        FileLeaseStore store = lease.leaseStore();
        store.replace(store.read(), claim("a", 1));
        Thread.currentThread().interrupt();
        assertThat(store.read().record()).isEqualTo(claim("a", 1));
        assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
    }

    @Test
    void anInterruptedCommitIsUnknownAndTheNextOneSettlesIt() {
        StateSession session = state.stateStore().open(1, "a", "id");
        session.write(Map.of("v", "1"));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> session.write(Map.of("v", "2"))).isInstanceOf(StateStoreException.class);
        assertThat(Thread.interrupted()).isTrue();
        session.write(Map.of("v", "3"));
        assertThat(state.stateStore().snapshot()).isEqualTo(Map.of("v", "3"));
    }
}
