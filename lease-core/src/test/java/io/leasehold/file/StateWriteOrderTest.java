package io.leasehold.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.file.SimulatedFiles.Outcome;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operations that fail, and what of them is seen afterwards. */
class StateWriteOrderTest {
    private static final Path PARENT = Path.of("/shared");
    private static final Path PATH = PARENT.resolve("state");

    private final SimulatedDisk disk = new SimulatedDisk();
    private final List<Runnable> underWay = new ArrayList<>();
    private final List<Path> created = new ArrayList<>();
    private Set<Operation> failing = Set.of();
    private int failures;

    private final class Trouble implements SimulatedFiles.Conditions {
        @Override
        public Outcome before(Operation operation, Path path) {
            if (operation == Operation.CREATE) {
                created.add(path);
            }
            if (failures == 0 || !failing.contains(operation)) {
                return Outcome.SUCCEEDS;
            }
            failures--;
            return operation == Operation.MOVE ? Outcome.LANDS_LATER : Outcome.FAILS;
        }

        @Override
        public void after(Operation operation, Path path) {
            assertThat(path).startsWithRaw(PARENT);
        }

        @Override
        public void later(Runnable operation) {
            underWay.add(operation);
        }
    }

    private final FileStateStore store = new SimulatedFiles(disk, new Trouble()).stateStore(PATH, "orders");

    @BeforeEach
    void install() throws Exception {
        disk.install(PARENT);
    }

    private void fail(int times, Operation... operations) {
        failing = Set.of(operations);
        failures = times;
    }

    @Test
    void aWriteThatIsStillUnderWayNeverLandsOnALaterOne() {
        StateSession session = store.open(1, "a", "id");
        fail(2, Operation.MOVE, Operation.DELETE);
        assertThatThrownBy(() -> session.write(Map.of("key", "1"))).isInstanceOf(StateStoreException.class);
        session.write(Map.of("key", "2"));
        underWay.forEach(Runnable::run);
        assertThat(store.snapshot()).containsEntry("key", "2");
    }

    @Test
    void aWriteIsNotAcknowledgedWhileAnEarlierOneMayLandOnIt() {
        StateSession session = store.open(1, "a", "id");
        fail(2, Operation.MOVE, Operation.DELETE);
        assertThatThrownBy(() -> session.write(Map.of("key", "1"))).isInstanceOf(StateStoreException.class);
        fail(1, Operation.DELETE);
        assertThatThrownBy(() -> session.write(Map.of("key", "2"))).isInstanceOf(StateStoreException.class);
    }

    @Test
    void aLinkThatFailsOnceIsNotReplacedByACreateThatCanBeTorn() {
        store.open(1, "a", "id");
        created.clear();
        fail(1, Operation.LINK);
        assertThatThrownBy(() -> store.open(2, "b", "id")).isInstanceOf(StateStoreException.class);
        assertThat(created).noneMatch(path -> path.endsWith("2.json"));
        assertThat(store.open(2, "b", "id").entries()).isEmpty();
    }

    @Test
    void whereLinksAreNotPossibleAnExclusiveCreateIsUsed() {
        fail(Integer.MAX_VALUE, Operation.LINK);
        store.open(1, "a", "id");
        assertThat(created).contains(PATH.resolve("1.json"));
    }
}
