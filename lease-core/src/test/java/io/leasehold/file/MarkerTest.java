package io.leasehold.file;

import static io.leasehold.file.FaultyFiles.calls;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.file.FaultyFiles.CrashedException;
import io.leasehold.file.FaultyFiles.Fault;
import io.leasehold.file.FaultyFiles.Operation;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseStoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The marker tells one directory from another, and from an emptied one. */
class MarkerTest {
    private static final String MARKER = EpochDirectory.MARKER;

    @TempDir
    Path temporary;

    private final FaultyFiles files = TestDirectory.files();
    private TestDirectory lease;
    private TestDirectory state;

    @BeforeEach
    void begin() throws Exception {
        lease = new TestDirectory(Files.createDirectory(temporary.resolve("lease")));
        state = new TestDirectory(temporary.resolve("state"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"lost+found", ".snapshot", ".nfs0000000000000001", ".0.b5c5e6f0.tmp"})
    void namesOfTheFileSystemLeaveADirectoryEmpty(String name) throws Exception {
        lease.write(name, "");
        lease.leaseStore().initialize();
        assertThat(lease.leaseStore().read().leaseId()).isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"notes.txt", "7.json", "state", "007.json"})
    void anythingElseMeansThatAMarkerWasLost(String name) throws Exception {
        lease.write(name, "");
        lease.write("z", "");
        assertThatThrownBy(() -> lease.leaseStore().initialize())
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(lease.path.toString())
                .hasMessageContaining(name)
                .hasMessageContaining("1 more")
                .hasMessageContaining("{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":\"");
        assertThat(lease.has(MARKER)).isFalse();
    }

    @Test
    void theMarkerThatAMessageProposesIsAccepted() throws Exception {
        lease.write("7.json", "not json");
        String message = "";
        try {
            lease.leaseStore().initialize();
        } catch (LeaseStoreException e) {
            message = String.valueOf(e.getMessage());
        }
        String proposed = message.substring(message.indexOf("{\"kind\""), message.indexOf('}') + 1);
        lease.write(MARKER, proposed);
        assertThat(lease.leaseStore().read().leaseId()).isNotBlank();
        assertThat(lease.leaseStore().read().epoch()).isEqualTo(7);
    }

    @Test
    void aMarkerIsNeverReplaced() throws Exception {
        String garbled = "{";
        lease.write(MARKER, garbled);
        lease.leaseStore().initialize();
        assertThat(lease.read(MARKER)).isEqualTo(garbled);
    }

    @Test
    void theFasterOfTwoMarkersStays() throws Exception {
        String[] faster = new String[1];
        files.before(calls(Operation.LINK, MARKER), () -> {
            lease.leaseStore().initialize();
            faster[0] = lease.leaseStore().read().leaseId();
        });
        lease.leaseStore(files).initialize();
        assertThat(lease.leaseStore(files).read().leaseId()).isEqualTo(faster[0]);
    }

    @Test
    void aDirectoryThatIsNotToBeCreatedIsNot() {
        FileLeaseStore store =
                new FileLeaseStore(new TestDirectory(temporary.resolve("none")).lease(TestDirectory.files()), false);
        assertThatThrownBy(store::initialize).isInstanceOf(LeaseStoreException.class);
        assertThat(temporary.resolve("none")).doesNotExist();
    }

    @Test
    void parentsAreNeverCreated() {
        TestDirectory deep = new TestDirectory(temporary.resolve("a").resolve("b"));
        assertThatThrownBy(() -> deep.leaseStore().initialize()).isInstanceOf(LeaseStoreException.class);
        assertThatThrownBy(() -> deep.stateStore().open(1, "a", "id")).isInstanceOf(StateStoreException.class);
        assertThat(temporary.resolve("a")).doesNotExist();
    }

    @Test
    void aMarkerOfAnotherKindIsRefusedWithBothNames() throws Exception {
        lease.leaseStore().initialize();
        assertThatThrownBy(() -> new FileStateStore(lease.state(files), true).open(1, "a", "id"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(lease.path.toString())
                .hasMessageContaining("the lease 'orders'")
                .hasMessageContaining("the state 'orders'")
                .hasMessageContaining("directory of its own");
        assertThat(lease.names()).containsExactly(MARKER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "[]",
                "\"id\"",
                "{}",
                "{\"kind\":\"lease\",\"lease\":\"orders\"}",
                "{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":null}",
                "{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":7}",
                "{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":\"a\",\"id\":\"b\"}",
                "\0\0\0\0"
            })
    void aMarkerThatCannotBeUnderstoodIsRefusedWithTheWayOut(String contents) throws Exception {
        lease.write(MARKER, contents);
        assertThatThrownBy(() -> lease.leaseStore().read())
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(lease.path.resolve(MARKER).toString())
                .hasMessageContaining("{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":");
    }

    @Test
    void aStateWhoseMarkerIsGoneIsRefusedByWhoeverKnewIt() throws Exception {
        FileStateStore store = state.stateStore();
        store.open(1, "a", "id").write(Map.of("orders", "17"));
        state.delete(MARKER);
        assertThatThrownBy(store::head).isInstanceOf(StateStoreException.class).hasMessageContaining("missing");
        assertThatThrownBy(store::snapshot)
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> store.open(2, "b", "id"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("missing")
                .hasMessageContaining("{\"kind\":\"state\",\"lease\":\"orders\",\"id\":\"id\"}");
    }

    @Test
    void aStateThatWasEmptiedIsRefusedByWhoeverKnewIt() throws Exception {
        FileStateStore store = state.stateStore();
        store.open(1, "a", "id").write(Map.of("orders", "17"));
        for (String name : state.names()) {
            state.delete(name);
        }
        assertThatThrownBy(store::head).isInstanceOf(StateStoreException.class);
        assertThatThrownBy(() -> store.open(2, "b", "id")).isInstanceOf(StateStoreException.class);
        Files.delete(state.path);
        assertThatThrownBy(store::head).isInstanceOf(StateStoreException.class);
        assertThatThrownBy(() -> store.open(2, "b", "id")).isInstanceOf(StateStoreException.class);
        assertThat(state.path).doesNotExist();
    }

    @Test
    void aStateMarkerWrittenOnPurposeIsAccepted() throws Exception {
        FileStateStore store = state.stateStore();
        store.open(1, "a", "id").write(Map.of("orders", "17"));
        state.delete(MARKER);
        state.write(MARKER, "{\"kind\":\"state\",\"lease\":\"orders\",\"id\":\"id\"}");
        assertThat(store.open(2, "b", "id").entries()).isEqualTo(Map.of("orders", "17"));
    }

    /** Whatever the end of a process leaves of the first marker, the lease can be used, or a message says what to do. */
    @Test
    void aCrashAtAnyStepOfTheFirstMarkerIsNoDeadEnd() throws Exception {
        for (Fault fault : Fault.values()) {
            for (int step = 0; step < 8; step++) {
                TestDirectory fresh = new TestDirectory(temporary.resolve(fault + "-" + step));
                FaultyFiles faulty = TestDirectory.files();
                faulty.inject(FaultyFiles.number(step), fault);
                try {
                    fresh.leaseStore(faulty).initialize();
                } catch (CrashedException | LeaseStoreException e) {
                    assertThat(e).isNotNull();
                }
                fresh.leaseStore().initialize();
                assertThat(fresh.leaseStore().read().leaseId()).isNotBlank();
            }
        }
    }
}
