package io.leasehold.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStoreException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is in a segment: it is read exactly, or refused by name, and never passed over for an older one. */
class StateContentsTest {
    private static final String SEGMENT = "{\"lease\":\"id\",\"holder\":\"a\",\"epoch\":7,\"sequence\":3,"
            + "\"seeded\":true,\"entries\":{\"orders\":\"17\"}}";

    @TempDir
    Path temporary;

    private TestDirectory directory;
    private FileStateStore store;

    @BeforeEach
    void begin() {
        directory = new TestDirectory(temporary.resolve("state"));
        store = directory.stateStore();
        store.open(3, "old", "id").write(Map.of("orders", "3"));
    }

    private static String with(String part, String other) {
        assertThat(SEGMENT).contains(part);
        return SEGMENT.replace(part, other);
    }

    static Stream<String> wrongContents() {
        return Stream.of(
                "",
                "{",
                SEGMENT.substring(0, SEGMENT.length() - 1),
                SEGMENT.substring(0, SEGMENT.length() - 5),
                "17",
                "\"x\"",
                "[]",
                "null",
                "{}",
                "not json",
                "\0".repeat(4096),
                SEGMENT + SEGMENT,
                SEGMENT + "\0",
                "[".repeat(100_000),
                with("\"epoch\":7", "\"epoch\":\"x\""),
                with("\"epoch\":7", "\"epoch\":\"7\""),
                with("\"epoch\":7", "\"epoch\":7.0"),
                with("\"epoch\":7", "\"epoch\":null"),
                with("\"epoch\":7", "\"epoch\":-7"),
                with("\"epoch\":7", "\"epoch\":6"),
                with("\"epoch\":7", "\"epoch\":9223372036854775808"),
                with("\"epoch\":7,", ""),
                with("\"seeded\":true,", ""),
                with("\"seeded\":true", "\"seeded\":null"),
                with("\"seeded\":true", "\"seeded\":1"),
                with("\"seeded\":true", "\"seeded\":\"false\""),
                with("\"holder\":\"a\",", ""),
                with("\"lease\":\"id\",", ""),
                with("{\"orders\":\"17\"}", "null"),
                with("{\"orders\":\"17\"}", "[]"),
                with("{\"orders\":\"17\"}", "\"\""),
                with("{\"orders\":\"17\"}", "{\"k\":null}"),
                with("{\"orders\":\"17\"}", "{\"k\":17}"),
                with("{\"orders\":\"17\"}", "{\"k\":[\"junk\"]}"),
                with("{\"orders\":\"17\"}", "{\"k\":\"1\",\"k\":\"2\"}"),
                with("\"orders\"", "\"\\udc00\""),
                with(",\"entries\":{\"orders\":\"17\"}", ""));
    }

    @ParameterizedTest
    @MethodSource("wrongContents")
    void aSegmentThatCannotBeUnderstoodIsRefusedByName(String contents) throws Exception {
        directory.write("7.json", contents);
        String file = directory.path.resolve("7.json").toString();
        assertThatThrownBy(() -> store.open(8, "b", "id"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(file);
        assertThatThrownBy(store::snapshot)
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(file);
        assertThat(directory.stateStore().head()).isEqualTo(new StateHead(8, "id"));
        assertThat(directory.read("7.json")).isEqualTo(contents);
        assertThat(directory.read("3.json")).contains("\"orders\":\"3\"");
    }

    @Test
    void bytesThatAreNoTextAreRefusedByName() throws Exception {
        directory.write("7.json", with("17", "\u00ff").getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> store.open(8, "b", "id"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("7.json");
    }

    @Test
    void aRepairedSegmentIsOpenedByTheEpochThatWasRefused() throws Exception {
        directory.write("7.json", "{");
        assertThatThrownBy(() -> store.open(8, "b", "id")).isInstanceOf(StateStoreException.class);
        directory.write("7.json", SEGMENT);
        assertThat(store.open(8, "b", "id").entries()).isEqualTo(Map.of("orders", "17"));
    }

    @Test
    void anOwnSegmentThatWasDamagedIsNotOpenedAgain() throws Exception {
        store.open(8, "b", "id").write(Map.of("orders", "18"));
        directory.write("8.json", "{");
        assertThatThrownBy(() -> store.open(8, "b", "id"))
                .isInstanceOf(StateStoreException.class)
                .isNotInstanceOf(StateFenceException.class)
                .hasMessageContaining("8.json");
    }

    @Test
    void aSegmentNotYetSeededIsPassedOver() throws Exception {
        directory.write("7.json", with("\"seeded\":true", "\"seeded\":false"));
        assertThat(store.snapshot()).isEqualTo(Map.of("orders", "3"));
        assertThat(store.open(8, "b", "id").entries()).isEqualTo(Map.of("orders", "3"));
    }

    @Test
    void unknownFieldsAndLayoutAreNoDifference() throws Exception {
        directory.write("7.json", "\r\n{ \"later\": [1, {}],\r\n" + SEGMENT.substring(1) + "\r\n");
        assertThat(store.open(8, "b", "id").entries()).isEqualTo(Map.of("orders", "17"));
    }

    @Test
    void messagesAboutDamageHoldNoKeysOrValues() throws Exception {
        directory.write("7.json", with("{\"orders\":\"17\"}", "{\"secret-key\":[\"secret-value\"]}"));
        assertThatThrownBy(() -> store.open(8, "b", "id"))
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret-value"));
    }

    @Test
    void segmentsWithoutAMarkerAreNoEmptyState() throws Exception {
        directory.delete(EpochDirectory.MARKER);
        FileStateStore other = directory.stateStore();
        assertThatThrownBy(other::snapshot)
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(EpochDirectory.MARKER);
        assertThatThrownBy(other::head).isInstanceOf(StateStoreException.class);
        assertThatThrownBy(() -> other.open(8, "b", "id"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining(EpochDirectory.MARKER)
                .hasMessageContaining("{\"kind\":\"state\",\"lease\":\"orders\",\"id\":\"id\"}");
        assertThat(directory.has("8.json")).isFalse();
    }

    @Test
    void aStateTooLargeToBeReadAgainIsNotWritten() {
        FileStateStore small = new FileStateStore(directory.state(TestDirectory.files()), true, 1000);
        StateSession session = small.open(8, "b", "id");
        session.write(Map.of("orders", "x".repeat(800)));
        assertThatThrownBy(() -> session.write(Map.of("orders", "y".repeat(1000))))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("1000")
                .hasMessageContaining("nothing was written");
        assertThat(small.open(9, "a longer holder's id ".repeat(10), "id").entries())
                .isEqualTo(Map.of("orders", "x".repeat(800)));
    }

    @Test
    void theFilesAreTextThatPeopleCanRead() throws Exception {
        store.open(8, "b", "id").write(Map.of("Zoë", "17"));
        assertThat(Files.readString(directory.path.resolve("8.json")))
                .isEqualTo("{\"lease\":\"id\",\"holder\":\"b\",\"epoch\":8,\"sequence\":2,\"seeded\":true,"
                        + "\"entries\":{\"Zoë\":\"17\"}}");
    }
}
