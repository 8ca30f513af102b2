package io.leasehold.file;

import static io.leasehold.file.FaultyFiles.calls;
import static io.leasehold.file.FaultyFiles.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.file.FaultyFiles.CrashedException;
import io.leasehold.file.FaultyFiles.Fault;
import io.leasehold.file.FaultyFiles.Hook;
import io.leasehold.file.FaultyFiles.Operation;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An acknowledged commit is never lost, whatever the file operations of its holder answer. */
class StateFaultsTest {
    /** More than an open and two commits have operations. */
    private static final int OPERATIONS = 40;

    @TempDir
    Path temporary;

    private final FaultyFiles files = TestDirectory.files();
    private TestDirectory directory;
    private long acknowledged;

    @BeforeEach
    void begin() {
        begin("state");
    }

    /** A state whose epoch 1 has acknowledged the value 1. */
    private void begin(String name) {
        directory = new TestDirectory(temporary.resolve(name));
        directory.stateStore().open(1, "first", "id").write(Map.of("v", "1"));
        acknowledged = 1;
    }

    private StateSession open() {
        StateSession session = directory.stateStore(files).open(2, "a", "id");
        files.forgetCalls();
        return session;
    }

    private static long value(Map<String, String> entries) {
        return Long.parseLong(entries.getOrDefault("v", "-1"));
    }

    private void assertNothingIsLost() {
        assertThat(value(directory.stateStore().snapshot())).isGreaterThanOrEqualTo(acknowledged);
        long found = value(directory.stateStore().open(3, "b", "id").entries());
        assertThat(found).as("after %s", files.trace()).isBetween(acknowledged, 3L);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void noAcknowledgedCommitIsLostByAFaultAtAnyStep(Fault fault) {
        int acknowledgedAll = 0;
        for (boolean links : new boolean[] {true, false}) {
            for (int step = 0; step < OPERATIONS; step++) {
                begin(fault + "-" + links + "-" + step);
                FaultyFiles holders = TestDirectory.files();
                if (!links) {
                    holders.inject(Operation.LINK, Fault.FAILS);
                }
                holders.inject(number(step), fault);
                if (!useState(holders)) {
                    continue;
                }
                acknowledgedAll += acknowledged == 3 ? 1 : 0;
                assertNothingIsLost();
            }
        }
        assertThat(acknowledgedAll).isPositive();
    }

    /** Opens epoch 2, trying again as an election does, and commits the values 2 and 3; false where its segment is torn. */
    private boolean useState(FaultyFiles holders) {
        try {
            StateSession session = openPatiently(directory.stateStore(holders));
            for (long value = 2; session != null && value <= 3; value++) {
                commit(session, value);
            }
        } catch (CrashedException e) {
            return !isTorn();
        }
        return !isTorn();
    }

    private void commit(StateSession session, long value) {
        try {
            session.write(Map.of("v", String.valueOf(value)));
            acknowledged = value;
        } catch (StateStoreException e) {
            assertThat(e).hasMessageContaining(directory.path.toString());
        }
    }

    private static @Nullable StateSession openPatiently(FileStateStore store) {
        for (int attempt = 0; attempt < 3; attempt++) {
            try {
                return store.open(2, "a", "id");
            } catch (StateStoreException e) {
                assertThat(e).hasMessageContaining(store.location());
            } catch (StateFenceException e) {
                return null;
            }
        }
        return null;
    }

    /** Without links a crash can leave half a segment: it is refused by name, and never passed over. */
    private boolean isTorn() {
        try {
            directory.stateStore().snapshot();
            return false;
        } catch (StateStoreException e) {
            assertThat(e).hasMessageContaining("2.json").hasMessageContaining("Repair it");
            assertThat(acknowledged).as("nothing was acknowledged in it").isEqualTo(1);
            return true;
        }
    }

    private void assertUnknown(StateSession session) {
        assertThatThrownBy(() -> session.write(Map.of("v", "2")))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(directory.path.toString());
    }

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"CREATE", "MOVE", "SYNC", "LIST", "READ"})
    void aCommitWithAFailedStepIsUnknownAndTheNextOneSettlesIt(Operation failing) {
        StateSession session = open();
        files.inject(failing, Fault.FAILS);
        assertUnknown(session);
        files.heal();
        session.write(Map.of("v", "3"));
        assertThat(directory.stateStore().open(3, "b", "id").entries()).isEqualTo(Map.of("v", "3"));
    }

    @Test
    void aRenameWhoseAnswerIsLostIsUnknown() {
        StateSession session = open();
        files.inject(Operation.MOVE, Fault.LOSES_ITS_ANSWER);
        assertUnknown(session);
        assertThat(directory.stateStore().snapshot()).isEqualTo(Map.of("v", "2"));
    }

    private void assertUnknownAfterRename(Hook meanwhile) {
        StateSession session = open();
        files.after(calls(Operation.MOVE), meanwhile);
        assertUnknown(session);
    }

    @Test
    void aCommitWhoseMarkerIsGoneIsUnknown() {
        assertUnknownAfterRename(() -> directory.delete(EpochDirectory.MARKER));
    }

    @Test
    void aCommitUnderAnotherMarkerIsUnknown() {
        assertUnknownAfterRename(() ->
                directory.write(EpochDirectory.MARKER, "{\"kind\":\"state\",\"lease\":\"orders\",\"id\":\"other\"}"));
    }

    @Test
    void aCommitWhoseFileIsGoneIsUnknown() {
        assertUnknownAfterRename(() -> directory.delete("2.json"));
    }

    @Test
    void aHigherSegmentFencesACommitAlsoWhereItsContentsAreGone() {
        StateSession session = open();
        files.after(calls(Operation.MOVE), () -> directory.write("3.json", ""));
        assertThatThrownBy(() -> session.write(Map.of("v", "2"))).isInstanceOf(StateFenceException.class);
    }

    @Test
    void anOpenBelowAHigherSegmentWritesNothing() throws Exception {
        directory.stateStore().open(3, "b", "id");
        assertThatThrownBy(() -> directory.stateStore(files).open(2, "a", "id"))
                .isInstanceOf(StateFenceException.class);
        assertThat(directory.names()).containsExactly("1.json", "3.json", EpochDirectory.MARKER);
        assertThat(files.calls()).extracting(FaultyFiles.Call::operation).containsOnly(Operation.LIST, Operation.READ);
    }

    @Test
    void anOpenWithoutAListingAfterItDoesNotLead() {
        files.after(calls(Operation.MOVE), () -> files.inject(Operation.LIST, Fault.FAILS));
        FileStateStore store = directory.stateStore(files);
        assertThatThrownBy(() -> store.open(2, "a", "id")).isInstanceOf(StateStoreException.class);
        files.heal();
        assertThat(store.open(2, "a", "id").entries()).isEqualTo(Map.of("v", "1"));
    }

    @Test
    void aRepeatedOpenAdoptsOnlyItsOwnHoldersSegment() {
        files.after(calls(Operation.LINK, "2.json"), () -> files.inject(Operation.SYNC, Fault.FAILS));
        FileStateStore store = directory.stateStore(files);
        assertThatThrownBy(() -> store.open(2, "a", "id")).isInstanceOf(StateStoreException.class);
        files.heal();
        assertThatThrownBy(() -> directory.stateStore().open(2, "b", "id")).isInstanceOf(StateFenceException.class);
        assertThat(store.open(2, "a", "id").entries()).isEqualTo(Map.of("v", "1"));
    }

    @Test
    void aRepeatedOpenKeepsWhatItsFirstOneCommitted() {
        FileStateStore store = directory.stateStore(files);
        store.open(2, "a", "id").write(Map.of("v", "2"));
        assertThat(store.open(2, "a", "id").entries()).isEqualTo(Map.of("v", "2"));
        assertThat(directory.stateStore().snapshot()).isEqualTo(Map.of("v", "2"));
    }

    @Test
    void aRepeatedOpenKeepsTheStateWhereTheSegmentsLeftBelowAreUnseeded() throws Exception {
        String unseeded =
                "{\"lease\":\"id\",\"holder\":\"x\",\"epoch\":%d,\"sequence\":0,\"seeded\":false,\"entries\":{}}";
        directory.write("2.json", String.format(unseeded, 2));
        directory.write("3.json", String.format(unseeded, 3));
        FileStateStore store = directory.stateStore(files);
        assertThat(store.open(4, "a", "id").entries()).isEqualTo(Map.of("v", "1"));
        assertThat(directory.has("1.json")).isFalse();
        assertThat(store.open(4, "a", "id").entries()).isEqualTo(Map.of("v", "1"));
    }
}
