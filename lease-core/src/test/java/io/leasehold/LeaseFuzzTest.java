package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Two contenders on real files, whose contents and neighbours are garbled while time is moved by hand. */
@ExtendWith(QuietLog.class)
class LeaseFuzzTest {
    @TempDir
    Path temporary;

    private static void delete(Path path) {
        try {
            Files.delete(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private FuzzedElection election(String rule, long seed) {
        return new FuzzedElection(temporary.resolve(rule + seed), seed);
    }

    @Test
    void aLeaseThatIsBeingRenewedIsNeverTakenOverWhateverItsFilesHold() {
        Fuzz.run("contents beside a live holder", seed -> {
            FuzzedElection election = election("renewed", seed);
            election.begin();
            long epoch = election.holder.lease().epoch();
            for (int i = 0; i < 60; i++) {
                election.garbleContents();
                election.tick();
            }
            assertThat(election.holder.isHeld()).as("the lease is still held").isTrue();
            assertThat(election.holder.lease().epoch()).isEqualTo(epoch);
        });
    }

    @Test
    void namesThatAreNoEpochsAreNeverTakenForOnes() {
        Fuzz.run("names that are almost epochs", seed -> {
            FuzzedElection election = election("names", seed);
            election.begin();
            long epoch = election.holder.lease().epoch();
            for (int i = 0; i < 60; i++) {
                election.plantAlmostEpoch();
                election.tick();
            }
            assertThat(election.holder.isHeld()).isTrue();
            assertThat(election.holder.lease().epoch()).isEqualTo(epoch);
        });
    }

    @Test
    void whatCannotBeReadIsNamedAndNobodyLeadsUntilItCan() {
        Fuzz.run("epochs that are no files", seed -> {
            FuzzedElection election = election("obstacle", seed);
            election.begin();
            Path obstacle = election.plantObstacle();
            election.pass(FuzzedElection.TTL.multipliedBy(3));
            assertThat(election.holder.isHeld()).as("the deadline holds").isFalse();
            assertThat(election.standby.isHeld()).as("never guesses").isFalse();
            assertThat(election.standby.status().lastFailure()).contains(obstacle.toString());
            delete(obstacle);
            election.pass(FuzzedElection.TTL.multipliedBy(3));
            assertThat(election.holder.isHeld() || election.standby.isHeld()).isTrue();
        });
    }

    @Test
    void garbledRemainsNeverBringBackAnEpochOrAnOlderState() {
        Fuzz.run("contents that were left behind", seed -> {
            FuzzedElection election = election("remains", seed);
            election.begin();
            election.garbleRemains();
            election.pass(FuzzedElection.TTL.multipliedBy(6));
            election.requireNewestStateOrItsFileNamed();
        });
    }
}
