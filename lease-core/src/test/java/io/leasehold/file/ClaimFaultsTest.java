package io.leasehold.file;

import static io.leasehold.file.FaultyFiles.calls;
import static io.leasehold.file.FaultyFiles.number;
import static io.leasehold.store.LeaseRecords.claim;
import static io.leasehold.store.LeaseRecords.renewed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.file.FaultyFiles.CrashedException;
import io.leasehold.file.FaultyFiles.Fault;
import io.leasehold.file.FaultyFiles.Operation;
import io.leasehold.json.Json;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import io.leasehold.store.WriteOutcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A claim wins where it is known to have won, whatever its file operations answer. */
class ClaimFaultsTest {
    /** More than a claim has operations. */
    private static final int OPERATIONS = 20;

    @TempDir
    Path temporary;

    private final FaultyFiles files = TestDirectory.files();
    private final LeaseRecord own = claim("a", 2);
    private TestDirectory directory;
    private FileLeaseStore store;
    private LeaseSnapshot observed;

    @BeforeEach
    void begin() throws Exception {
        begin("lease");
    }

    /** A lease whose epoch 1 is there to be succeeded. */
    private void begin(String name) throws Exception {
        directory = new TestDirectory(temporary.resolve(name));
        directory.leaseStore().initialize();
        assertThat(directory.leaseStore().replace(directory.leaseStore().read(), claim("predecessor", 1)))
                .isEqualTo(WriteOutcome.CONFIRMED);
        store = directory.leaseStore(files);
        observed = store.read();
        files.forgetCalls();
        files.heal();
    }

    private void assertNotReleased() throws Exception {
        LeaseRecord found = directory.leaseStore().read().record();
        assertThat(found == null || !found.released()).isTrue();
    }

    @Test
    void aLinkWhoseAnswerIsLostHasWon() throws Exception {
        files.inject(Operation.LINK, Fault.LOSES_ITS_ANSWER);
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(directory.leaseStore().read().record()).isEqualTo(own);
    }

    @Test
    void whereLinksFailAnExclusiveCreateHasWon() throws Exception {
        files.inject(Operation.LINK, Fault.FAILS);
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(directory.leaseStore().read().record()).isEqualTo(own);
        assertThat(files.trace()).contains("CREATE 2.json");
    }

    @Test
    void whereThereAreNoLinksAnExclusiveCreateHasWon() throws Exception {
        files.beforeEach(calls(Operation.LINK), () -> {
            throw new UnsupportedOperationException("no links");
        });
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(directory.leaseStore().read().record()).isEqualTo(own);
    }

    @Test
    void whereLinksArePossibleOneThatFailsIsNotReplacedByACreate() throws Exception {
        files.inject(calls(Operation.LINK, "2.json"), Fault.FAILS);
        assertThatThrownBy(() -> store.replace(observed, own)).isInstanceOf(LeaseStoreException.class);
        assertThat(files.trace()).doesNotContain("CREATE 2.json");
        assertThat(directory.names()).containsExactly("1.json", EpochDirectory.MARKER);
    }

    @Test
    void whereLinksFailOnlyACleanCreateHasWon() throws Exception {
        files.inject(Operation.LINK, Fault.FAILS);
        files.inject(calls(Operation.CREATE, "2.json"), Fault.LOSES_ITS_ANSWER);
        assertThatThrownBy(() -> store.replace(observed, own)).isInstanceOf(LeaseStoreException.class);
        assertNotReleased();
    }

    @Test
    void whereLinksFailTheFasterCreateHasWon() throws Exception {
        files.inject(Operation.LINK, Fault.FAILS);
        files.before(
                calls(Operation.CREATE, "2.json"), () -> directory.leaseStore().replace(observed, claim("b", 2)));
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(directory.leaseStore().read().record()).isEqualTo(claim("b", 2));
    }

    @Test
    void anothersBytesUnderTheNameHaveWon() throws Exception {
        files.before(calls(Operation.LINK), () -> directory.leaseStore().replace(observed, claim("b", 2)));
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(directory.leaseStore().read().record()).isEqualTo(claim("b", 2));
    }

    @Test
    void bytesThatBeginLikeTheOwnAreAnothers() throws Exception {
        files.before(
                calls(Operation.LINK),
                () -> directory.write("2.json", new String(Json.write(own), StandardCharsets.UTF_8) + " "));
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.SUPERSEDED);
    }

    @Test
    void aNameThatCannotBeReadBackIsNotKnownToBeWon() throws Exception {
        files.inject(Operation.LINK, Fault.LOSES_ITS_ANSWER);
        files.inject(calls(Operation.READ, "2.json"), Fault.FAILS);
        assertThatThrownBy(() -> store.replace(observed, own))
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(directory.path.toString())
                .hasMessageContaining("epoch 2");
        assertNotReleased();
    }

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"CREATE", "SYNC", "LIST"})
    void aClaimWithAFailedStepIsNotKnownToBeWon(Operation failing) throws Exception {
        files.inject(failing, Fault.FAILS);
        assertThatThrownBy(() -> store.replace(observed, own)).isInstanceOf(LeaseStoreException.class);
        assertNotReleased();
    }

    @Test
    void aPredecessorThatCannotBeReadAgainIsNotSucceeded() throws Exception {
        files.inject(calls(Operation.READ, "1.json"), Fault.FAILS);
        assertThatThrownBy(() -> store.replace(observed, own)).isInstanceOf(LeaseStoreException.class);
        assertNotReleased();
    }

    @Test
    void aPredecessorThatIsGoneIsNotSucceeded() throws Exception {
        directory.delete("1.json");
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.SUPERSEDED);
        assertNotReleased();
    }

    @Test
    void anEpochBetweenThePredecessorAndTheClaimIsNotPassedOver() throws Exception {
        files.before(calls(Operation.LINK), () -> directory.leaseStore().replace(observed, claim("b", 5)));
        assertThat(store.replace(observed, claim("a", 9))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertNotReleased();
    }

    /** Two files of 0 bytes look alike; their numbers do not. */
    @Test
    void anEpochWithTheSameContentsIsNotThePredecessor() throws Exception {
        directory.write("1.json", "");
        observed = store.read();
        files.before(calls(Operation.LINK), () -> directory.write("5.json", ""));
        assertThat(store.replace(observed, claim("a", 9))).isEqualTo(WriteOutcome.SUPERSEDED);
    }

    @Test
    void numbersThatWereSkippedDoNotMatter() throws Exception {
        assertThat(store.replace(observed, claim("a", 9))).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    void aClaimWithoutItsMarkerIsNotConfirmed() throws Exception {
        files.after(calls(Operation.LINK), () -> directory.delete(EpochDirectory.MARKER));
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.UNVERIFIED);
    }

    @Test
    void aClaimUnderAnotherMarkerIsNotConfirmed() throws Exception {
        files.after(
                calls(Operation.LINK),
                () -> directory.write(
                        EpochDirectory.MARKER, "{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":\"other\"}"));
        assertThat(store.replace(observed, own)).isEqualTo(WriteOutcome.UNVERIFIED);
    }

    /** Whatever step of the claim the predecessor's renew falls on, they never both rely on their write. */
    @Test
    void aClaimAndARenewAreNeverBothConfirmedAtAnyStep() throws Exception {
        int confirmedRenews = 0;
        int confirmedClaims = 0;
        for (int step = 0; step < OPERATIONS; step++) {
            begin("step-" + step);
            WriteOutcome[] renew = new WriteOutcome[1];
            files.before(
                    number(step),
                    () -> renew[0] = directory.leaseStore().replace(observed, renewed(claim("predecessor", 1))));
            WriteOutcome claim = store.replace(observed, own);
            assertThat(claim == WriteOutcome.CONFIRMED && renew[0] == WriteOutcome.CONFIRMED)
                    .as(
                            "both confirmed, renewed before %s",
                            files.trace().size() > step ? files.trace().get(step) : "nothing")
                    .isFalse();
            confirmedRenews += renew[0] == WriteOutcome.CONFIRMED ? 1 : 0;
            confirmedClaims += claim == WriteOutcome.CONFIRMED ? 1 : 0;
        }
        assertThat(confirmedRenews).isPositive();
        assertThat(confirmedClaims).isPositive();
    }

    /** Whatever step of the claim another claim falls on, of the same epoch or the next one, only one of them leads. */
    @Test
    void twoClaimsAreNeverBothConfirmedAtAnyStep() throws Exception {
        for (int step = 0; step < OPERATIONS; step++) {
            for (long epoch = 2; epoch <= 3; epoch++) {
                begin("step-" + step + "-" + epoch);
                LeaseRecord others = claim("b", epoch);
                WriteOutcome[] other = new WriteOutcome[1];
                files.before(
                        number(step), () -> other[0] = directory.leaseStore().replace(observed, others));
                WriteOutcome claim = store.replace(observed, own);
                assertThat(claim == WriteOutcome.CONFIRMED && other[0] == WriteOutcome.CONFIRMED)
                        .as("both confirmed, epoch %s claimed before step %s of %s", epoch, step, files.trace())
                        .isFalse();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void aFaultAtAnyStepLeavesALeaseThatCanBeTakenOver(Fault fault) throws Exception {
        for (boolean links : new boolean[] {true, false}) {
            for (int step = 0; step < OPERATIONS; step++) {
                begin(fault + "-" + links + "-" + step);
                FaultyFiles claimants = TestDirectory.files();
                if (!links) {
                    claimants.inject(Operation.LINK, Fault.FAILS);
                }
                claimants.inject(number(step), fault);
                WriteOutcome outcome = claimWith(claimants);
                FileLeaseStore next = directory.leaseStore();
                LeaseSnapshot found = next.read();
                if (outcome == WriteOutcome.CONFIRMED) {
                    assertThat(found.record()).isEqualTo(own);
                }
                assertThat(next.replace(found, claim("b", found.epoch() + 1))).isEqualTo(WriteOutcome.CONFIRMED);
                assertThat(Objects.requireNonNull(next.read().record()).holder())
                        .isEqualTo("b");
            }
        }
    }

    /** The outcome; unverified where it is not known, or the process ended. */
    private WriteOutcome claimWith(FaultyFiles claimants) {
        try {
            return directory.leaseStore(claimants).replace(observed, own);
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
            int first = step;
            FaultyFiles claimants = TestDirectory.files();
            claimants.inject(call -> call.number() >= first && call.operation() != Operation.DELETE, fault);
            claimWith(claimants);
            assertThat(directory.names()).noneMatch(name -> name.endsWith(".tmp"));
        }
    }
}
