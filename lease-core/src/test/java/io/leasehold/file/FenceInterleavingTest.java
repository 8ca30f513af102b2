package io.leasehold.file;

import static io.leasehold.file.FaultyFiles.calls;
import static io.leasehold.file.FaultyFiles.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

/** The fence holds at whatever step one process is paused while another goes on. */
class FenceInterleavingTest {
    /** More than an open has operations. */
    private static final int OPERATIONS = 18;

    @TempDir
    Path temporary;

    private TestDirectory directory;

    @BeforeEach
    void begin() {
        begin("state");
    }

    /** A state whose epoch 1 has acknowledged the value 1. */
    private void begin(String name) {
        directory = new TestDirectory(temporary.resolve(name));
        directory.stateStore().open(1, "first", "id").write(Map.of("v", "1"));
    }

    /** Whether a commit was acknowledged; a refused or unknown one was not. */
    private static boolean commit(StateSession session, String value) {
        try {
            session.write(Map.of("v", value));
            return true;
        } catch (StateFenceException | StateStoreException e) {
            return false;
        }
    }

    private static @Nullable StateSession openIfAllowed(FileStateStore store, long epoch) {
        try {
            return store.open(epoch, "holder-" + epoch, "id");
        } catch (StateFenceException | StateStoreException e) {
            return null;
        }
    }

    /** The leader of epoch 2 is paused in a commit while epoch 3 is opened. */
    @Test
    void aCommitPausedAtAnyStepIsFencedOrInItsSuccessorsState() {
        int acknowledged = 0;
        int fenced = 0;
        for (int step = 0; step < OPERATIONS; step++) {
            begin("step-" + step);
            FaultyFiles files = TestDirectory.files();
            StateSession paused = directory.stateStore(files).open(2, "a", "id");
            files.forgetCalls();
            StateSession[] successor = new StateSession[1];
            files.before(
                    number(step), () -> successor[0] = directory.stateStore().open(3, "b", "id"));
            boolean done = commit(paused, "2");
            StateSession next =
                    successor[0] != null ? successor[0] : directory.stateStore().open(3, "b", "id");
            if (done) {
                acknowledged++;
                assertThat(next.entries())
                        .as("3 opened before step %s of %s", step, files.trace())
                        .isEqualTo(Map.of("v", "2"));
            } else {
                fenced++;
            }
            assertThat(commit(paused, "late")).isFalse();
            next.write(Map.of("v", "3"));
            assertThat(directory.stateStore().snapshot()).isEqualTo(Map.of("v", "3"));
        }
        assertThat(acknowledged).isPositive();
        assertThat(fenced).isPositive();
    }

    /** The successor deletes the temporary file, so that the rename fails: the writer is told of the fence all the same. */
    @Test
    void aCommitWhoseTemporaryFileItsSuccessorHasDeletedIsFenced() {
        FaultyFiles files = TestDirectory.files();
        StateSession paused = directory.stateStore(files).open(2, "a", "id");
        files.forgetCalls();
        files.before(calls(Operation.MOVE), () -> directory.stateStore().open(3, "b", "id"));
        assertThatThrownBy(() -> paused.write(Map.of("v", "2"))).isInstanceOf(StateFenceException.class);
    }

    /** The opener of epoch 3 is paused while the leader of epoch 2 commits. */
    @Test
    void aCommitDuringAnyStepOfAnOpenIsFencedOrInTheOpenedState() {
        int acknowledged = 0;
        int fenced = 0;
        for (int step = 0; step < OPERATIONS; step++) {
            begin("step-" + step);
            StateSession leader = directory.stateStore().open(2, "a", "id");
            FaultyFiles files = TestDirectory.files();
            boolean[] done = new boolean[1];
            files.before(number(step), () -> done[0] = commit(leader, "2"));
            StateSession opened = directory.stateStore(files).open(3, "b", "id");
            if (done[0]) {
                acknowledged++;
                assertThat(opened.entries())
                        .as("committed before step %s of %s", step, files.trace())
                        .isEqualTo(Map.of("v", "2"));
            } else {
                fenced++;
            }
            assertThat(commit(leader, "late")).isFalse();
            opened.write(Map.of("v", "3"));
            assertThat(directory.stateStore().snapshot()).isEqualTo(Map.of("v", "3"));
        }
        assertThat(acknowledged).isPositive();
        assertThat(fenced).isPositive();
    }

    /** The opener of epoch 2 is paused while epoch 3 is opened and commits. */
    @Test
    void anOpenPausedAtAnyStepNeverWorksWithAnOlderState() {
        int refused = 0;
        for (int step = 0; step < OPERATIONS; step++) {
            begin("step-" + step);
            FaultyFiles files = TestDirectory.files();
            boolean[] overtaken = new boolean[1];
            files.before(number(step), () -> {
                directory.stateStore().open(3, "b", "id").write(Map.of("v", "3"));
                overtaken[0] = true;
            });
            StateSession late = openIfAllowed(directory.stateStore(files), 2);
            if (late == null) {
                refused++;
            } else {
                assertThat(late.entries()).isEqualTo(Map.of("v", "1"));
                assertThat(commit(late, "late")).isEqualTo(!overtaken[0]);
            }
            assertThat(directory.stateStore().snapshot()).isEqualTo(Map.of("v", overtaken[0] ? "3" : "late"));
        }
        assertThat(refused).isPositive();
    }

    @Test
    void anOpenOvertakenBeforeItsLastLookIsRefused() {
        FaultyFiles files = TestDirectory.files();
        files.after(calls(Operation.MOVE), () -> directory.stateStore().open(3, "b", "id"));
        assertThatThrownBy(() -> directory.stateStore(files).open(2, "a", "id"))
                .isInstanceOf(StateFenceException.class);
    }

    @Test
    void aSnapshotReadsAgainWhereItsSegmentsAreCleanedUpMeanwhile() {
        FaultyFiles files = TestDirectory.files();
        files.before(calls(Operation.READ, "1.json"), () -> {
            for (long epoch = 2; epoch <= 6; epoch++) {
                directory.stateStore().open(epoch, "a", "id").write(Map.of("v", String.valueOf(epoch)));
            }
        });
        assertThat(directory.stateStore(files).snapshot()).isEqualTo(Map.of("v", "6"));
    }

    @Test
    void aSnapshotThatNeverFindsWhatItListedCannotTell() throws Exception {
        FaultyFiles files = TestDirectory.files();
        String segment = directory.read("1.json");
        files.beforeEach(calls(Operation.LIST), () -> directory.write("1.json", segment));
        files.beforeEach(calls(Operation.READ, "1.json"), () -> directory.delete("1.json"));
        assertThatThrownBy(() -> directory.stateStore(files).snapshot())
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(directory.path.toString());
    }
}
