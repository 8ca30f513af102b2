package io.leasehold.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.file.SimulatedFiles.Outcome;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class DurableDirectoryTest {
    private static final Path PARENT = Path.of("/shared");

    private static final class NoTrouble implements SimulatedFiles.Conditions {
        @Override
        public Outcome before(Operation operation, Path path) {
            return Outcome.SUCCEEDS;
        }

        @Override
        public void after(Operation operation, Path path) {
            assertThat(path).startsWithRaw(PARENT);
        }

        @Override
        public void later(Runnable operation) {
            throw new IllegalStateException("Nothing fails here");
        }
    }

    /** Each repetition is another choice of what a power failure leaves of what was not synced. */
    @RepeatedTest(16)
    void aStateThatWasCommittedToANewDirectorySurvivesAPowerFailure(RepetitionInfo repetition) throws Exception {
        SimulatedDisk disk = new SimulatedDisk();
        disk.install(PARENT);
        Path path = PARENT.resolve("state");
        FileStateStore store = new SimulatedFiles(disk, new NoTrouble()).stateStore(path, "orders");
        store.open(1, "a", "id").write(Map.of("key", "1"));
        disk.powerFails(new SplittableRandom(repetition.getCurrentRepetition())::nextBoolean);
        FileStateStore again = new SimulatedFiles(disk, new NoTrouble()).stateStore(path, "orders");
        assertThat(again.snapshot()).containsEntry("key", "1");
    }
}
