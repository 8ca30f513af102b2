package io.leasehold.file;

import static io.leasehold.file.FaultyFiles.calls;
import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.file.FaultyFiles.Fault;
import io.leasehold.file.FaultyFiles.Operation;
import io.leasehold.json.Json;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A look at a lease shows the highest epoch, or fails. */
class FileLeaseReadTest {
    @TempDir
    Path temporary;

    private final FaultyFiles files = TestDirectory.files();
    private TestDirectory directory;
    private FileLeaseStore store;

    @BeforeEach
    void begin() throws Exception {
        directory = new TestDirectory(temporary.resolve("lease"));
        store = directory.leaseStore(files);
        store.initialize();
    }

    private void hold(LeaseRecord record) throws Exception {
        directory.write(record.epoch() + ".json", Json.write(record));
    }

    @Test
    void whereThereIsNoDirectoryThereIsNoIdAndNoEpoch() throws Exception {
        assertThat(new TestDirectory(temporary.resolve("none")).leaseStore().read())
                .isEqualTo(LeaseSnapshot.empty(null));
    }

    @Test
    void theHighestNumberIsTheLeaseNotTheLastInTheAlphabet() throws Exception {
        hold(claim("a", 9));
        hold(claim("b", 10));
        hold(claim("c", 2));
        assertThat(store.read().record()).isEqualTo(claim("b", 10));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "008.json",
                "0.json",
                "-1.json",
                "+8.json",
                "8",
                "8.json.bak",
                "8.json~",
                "8.JSON",
                ".8.json",
                " 8.json",
                "8.json ",
                "8 .json",
                "8.0.json",
                "8e0.json",
                "0x8.json",
                "9223372036854775808.json",
                "99999999999999999999999.json",
                "8.json\n",
                ".8.b5c5e6f0-0000-0000-0000-000000000000.tmp"
            })
    void aNameThatIsAlmostAnEpochIsNone(String name) throws Exception {
        hold(claim("a", 7));
        directory.write(name, Json.write(claim("b", 8)));
        assertThat(store.read().record()).isEqualTo(claim("a", 7));
    }

    @Test
    void digitsOfOtherScriptsAreNone() {
        assertThat(EpochDirectory.isEpochFile("\u0668.json")).isFalse();
        assertThat(EpochDirectory.isEpochFile("8.json")).isTrue();
    }

    @Test
    void theLastEpochIsRead() throws Exception {
        hold(claim("a", Long.MAX_VALUE - 1));
        hold(claim("b", Long.MAX_VALUE));
        assertThat(store.read().epoch()).isEqualTo(Long.MAX_VALUE);
        assertThat(store.read().record()).isEqualTo(claim("b", Long.MAX_VALUE));
    }

    @Test
    void aReadIsRepeatedWhereAHigherEpochAppearsMeanwhile() throws Exception {
        hold(claim("a", 1));
        files.after(calls(Operation.READ, "1.json"), () -> hold(claim("b", 2)));
        assertThat(store.read().record()).isEqualTo(claim("b", 2));
    }

    @Test
    void aReadIsRepeatedWhereTheHighestFileIsGoneMeanwhile() throws Exception {
        hold(claim("a", 1));
        hold(claim("b", 2));
        files.before(calls(Operation.READ, "2.json"), () -> directory.delete("2.json"));
        assertThat(store.read().record()).isEqualTo(claim("a", 1));
    }

    @Test
    void aLeaseThatChangesAtEveryReadCannotBeTold() throws Exception {
        hold(claim("a", 1));
        for (long epoch = 1; epoch < 100; epoch++) {
            long next = epoch + 1;
            files.after(calls(Operation.READ, epoch + ".json"), () -> hold(claim("a", next)));
        }
        assertThatThrownBy(store::read)
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(directory.path.toString());
    }

    @ParameterizedTest
    @EnumSource(
            value = Operation.class,
            names = {"LIST", "READ"})
    void aStepThatFailsIsNoAnswer(Operation failing) throws Exception {
        hold(claim("a", 7));
        files.inject(failing, Fault.FAILS);
        assertThatThrownBy(store::read)
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining(directory.path.toString())
                .hasMessageContaining("injected");
        files.heal();
        assertThat(store.read().record()).isEqualTo(claim("a", 7));
    }

    @Test
    void aHighestFileThatCannotBeReadIsNotPassedOver() throws Exception {
        hold(claim("a", 1));
        hold(claim("b", 2));
        files.inject(calls(Operation.READ, "2.json"), Fault.FAILS);
        assertThatThrownBy(store::read).isInstanceOf(LeaseStoreException.class).hasMessageContaining("2.json");
    }

    @Test
    void aDirectoryInTheWayOfAnEpochIsNoAnswer() throws Exception {
        hold(claim("a", 1));
        Files.createDirectory(directory.path.resolve("2.json"));
        assertThatThrownBy(store::read).isInstanceOf(LeaseStoreException.class);
    }

    @Test
    void epochsWithoutAMarkerAreReadWithoutAnId() throws Exception {
        hold(claim("a", 7));
        directory.delete(EpochDirectory.MARKER);
        LeaseSnapshot found = store.read();
        assertThat(found.leaseId()).isNull();
        assertThat(found.record()).isEqualTo(claim("a", 7));
    }

    @Test
    void aMarkerOfAnotherLeaseIsRefusedAtEveryRead() throws Exception {
        directory.write(EpochDirectory.MARKER, "{\"kind\":\"lease\",\"lease\":\"bills\",\"id\":\"other\"}");
        assertThatThrownBy(store::read)
                .isInstanceOf(LeaseStoreException.class)
                .hasMessageContaining("'bills'")
                .hasMessageContaining("'orders'");
    }

    @Test
    void aReadChangesNothing() throws Exception {
        hold(claim("a", 7));
        files.forgetCalls();
        store.read();
        assertThat(files.calls()).extracting(FaultyFiles.Call::operation).containsOnly(Operation.LIST, Operation.READ);
    }

    @Test
    void theContentsAreComparedByteForByte() throws Exception {
        byte[] one = "\u00e9".getBytes(StandardCharsets.ISO_8859_1);
        byte[] other = "\u00e8".getBytes(StandardCharsets.ISO_8859_1);
        directory.write("7.json", one);
        LeaseSnapshot before = store.read();
        directory.write("7.json", other);
        assertThat(store.read().unchangedFrom(before)).isFalse();
    }
}
