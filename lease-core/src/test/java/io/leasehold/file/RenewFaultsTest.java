package io.leasehold.file;

import static io.leasehold.file.FaultyFiles.calls;
import static io.leasehold.file.FaultyFiles.number;
import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.released;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.file.FaultyFiles.CrashedException;
import io.leasehold.file.FaultyFiles.Fault;
import io.leasehold.file.FaultyFiles.Hook;
import io.leasehold.file.FaultyFiles.Operation;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A renew counts where a look after it confirms it, whatever its file operations answer. */
class RenewFaultsTest {
    /** More than a renew has operations. */
    private static final int OPERATIONS = 12;

    private static final LeaseRecord HELD = renewed(claim("a", 5));
    private static final LeaseRecord NEXT = renewed(HELD);

    @TempDir
    Path temporary;

    private final FaultyFiles files = TestDirectory.files();
    private TestDirectory directory;
    private FileLeaseStore store;
    private LeaseSnapshot own;

    @BeforeEach
    void begin() throws Exception {
        begin("lease");
    }

    /** A lease that is held with epoch 5, and was renewed. */
    private void begin(String name) throws Exception {
        directory = new TestDirectory(temporary.resolve(name));
        FileLeaseStore plain = directory.leaseStore();
        plain.initialize();
        assertThat(plain.replace(plain.read(), claim("a", 5))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(plain.replace(plain.read(), HELD)).isEqualTo(WriteOutcome.CONFIRMED);
        store = directory.leaseStore(files);
        own = store.read();
        files.forgetCalls();
        files.heal();
    }

    private WriteOutcome renewWith(Operation operation, Hook meanwhile) throws Exception {
        files.after(calls(operation), meanwhile);
        return store.replace(own, NEXT);
    }

    @Test
    void aRenameWhoseAnswerIsLostMayHaveHappened() throws Exception {
        files.inject(Operation.MOVE, Fault.LOSES_ITS_ANSWER);
        assertThatThrownBy(() -> store.replace(own, NEXT))
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("may or may not have been written")
                .hasMessageContaining(directory.path.toString());
        assertThat(store.read().record()).isEqualTo(NEXT);
    }

    @Test
    void aRenameThatFailsLeavesTheRecordBefore() throws Exception {
        files.inject(Operation.MOVE, Fault.FAILS);
        assertThatThrownBy(() -> store.replace(own, NEXT)).isInstanceOf(LeaseStoreException.class);
        assertThat(store.read().record()).isEqualTo(HELD);
        files.heal();
        assertThat(store.replace(own, renewed(NEXT))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(store.read().record()).isEqualTo(renewed(NEXT));
    }

    @Test
    void aRenewWithoutAListingAfterItIsUnverified() throws Exception {
        files.inject(Operation.LIST, Fault.FAILS);
        assertThat(store.replace(own, NEXT)).isEqualTo(WriteOutcome.UNVERIFIED);
        assertThat(directory.leaseStore().read().record()).isEqualTo(NEXT);
    }

    @Test
    void aRenewWhoseMarkerCannotBeReadIsUnverified() throws Exception {
        files.inject(calls(Operation.READ, EpochDirectory.MARKER), Fault.FAILS);
        assertThat(store.replace(own, NEXT)).isEqualTo(WriteOutcome.UNVERIFIED);
    }

    @Test
    void aRenewWhoseFileIsGoneIsUnverified() throws Exception {
        assertThat(renewWith(Operation.MOVE, () -> directory.delete("5.json"))).isEqualTo(WriteOutcome.UNVERIFIED);
    }

    @Test
    void aRenewWhoseMarkerIsGoneIsUnverified() throws Exception {
        assertThat(renewWith(Operation.MOVE, () -> directory.delete(EpochDirectory.MARKER)))
                .isEqualTo(WriteOutcome.UNVERIFIED);
    }

    @Test
    void aRenewUnderAnotherMarkerIsUnverified() throws Exception {
        String other = "{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":\"other\"}";
        assertThat(renewWith(Operation.MOVE, () -> directory.write(EpochDirectory.MARKER, other)))
                .isEqualTo(WriteOutcome.UNVERIFIED);
    }

    @Test
    void aRenewUnderAGarbledMarkerIsUnverified() throws Exception {
        assertThat(renewWith(Operation.MOVE, () -> directory.write(EpochDirectory.MARKER, "{")))
                .isEqualTo(WriteOutcome.UNVERIFIED);
    }

    @Test
    void aHigherEpochSupersedesARenewAndStaysByteForByte() throws Exception {
        String[] successors = new String[1];
        WriteOutcome outcome = renewWith(Operation.MOVE, () -> {
            assertThat(directory.leaseStore().replace(own, claim("b", 6))).isNotEqualTo(WriteOutcome.CONFIRMED);
            successors[0] = directory.read("6.json");
        });
        assertThat(outcome).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(directory.read("6.json")).isEqualTo(successors[0]);
    }

    @Test
    void aHigherEpochSupersedesARenewAlsoWhereTheMarkerIsGone() throws Exception {
        WriteOutcome outcome = renewWith(Operation.MOVE, () -> {
            directory.write("6.json", "");
            directory.delete(EpochDirectory.MARKER);
        });
        assertThat(outcome).isEqualTo(WriteOutcome.SUPERSEDED);
    }

    /** Whatever step of the renew a claim falls on, they never both rely on their write. */
    @Test
    void aRenewAndAClaimAreNeverBothConfirmedAtAnyStep() throws Exception {
        int confirmedClaims = 0;
        int confirmedRenews = 0;
        for (int step = 0; step < OPERATIONS; step++) {
            begin("step-" + step);
            WriteOutcome[] claim = new WriteOutcome[1];
            files.before(number(step), () -> claim[0] = directory.leaseStore().replace(own, claim("b", 6)));
            WriteOutcome renew = store.replace(own, NEXT);
            assertThat(renew == WriteOutcome.CONFIRMED && claim[0] == WriteOutcome.CONFIRMED)
                    .as("both confirmed, claimed before step %s of %s", step, files.trace())
                    .isFalse();
            confirmedClaims += claim[0] == WriteOutcome.CONFIRMED ? 1 : 0;
            confirmedRenews += renew == WriteOutcome.CONFIRMED ? 1 : 0;
        }
        assertThat(confirmedClaims).isPositive();
        assertThat(confirmedRenews).isPositive();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFaultAtAnyStepLeavesAWholeRecord(Fault fault) throws Exception {
        for (int step = 0; step < OPERATIONS; step++) {
            begin(fault + "-" + step);
            FaultyFiles holders = TestDirectory.files();
            holders.inject(number(step), fault);
            WriteOutcome outcome = renewWith(holders);
            LeaseRecord found = directory.leaseStore().read().record();
            if (outcome == WriteOutcome.CONFIRMED) {
                assertThat(found).isEqualTo(NEXT);
            } else {
                assertThat(found).isIn(HELD, NEXT);
            }
        }
    }

    /** The outcome; unverified where it is not known, or the process ended. */
    private WriteOutcome renewWith(FaultyFiles holders) {
        try {
            return directory.leaseStore(holders).replace(own, NEXT);
        } catch (LeaseStoreException | CrashedException e) {
            return WriteOutcome.UNVERIFIED;
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"FAILS", "LOSES_ITS_ANSWER"})
    void noTemporaryFileIsLeftBehindUnlessItCannotBeDeleted(Fault fault) throws Exception {
        for (int step = 0; step < OPERATIONS; step++) {
            begin(fault + "-" + step);
            FaultyFiles holders = TestDirectory.files();
            holders.inject(number(step).and(call -> call.operation() != Operation.DELETE), fault);
            renewWith(holders);
            assertThat(directory.names()).noneMatch(name -> name.endsWith(".tmp"));
        }
    }

    @Test
    void aReleaseThatFailsLeavesALeaseThatIsNotReleased() throws Exception {
        files.inject(Operation.MOVE, Fault.FAILS);
        assertThatThrownBy(() -> store.replace(own, released(HELD))).isInstanceOf(LeaseStoreException.class);
        assertThat(store.read().record()).isEqualTo(HELD);
    }
}
