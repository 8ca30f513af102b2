package io.leasehold.file;

import static io.leasehold.store.LeaseRecords.claim;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.WriteOutcome;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever is in an epoch's file: a read never fails for it, the epoch stays, and it can be taken over. */
class LeaseContentsTest {
    private static final String RECORD =
            "{\"holder\":\"a\",\"claim\":\"c\",\"epoch\":7,\"sequence\":3,\"ttl\":\"PT30S\","
                    + "\"expires_at\":\"2026-01-01T00:00:30Z\",\"released\":false}";

    @TempDir
    Path temporary;

    private TestDirectory directory;
    private FileLeaseStore store;

    @BeforeEach
    void begin() throws Exception {
        directory = new TestDirectory(temporary.resolve("lease"));
        store = directory.leaseStore();
        store.initialize();
    }

    private static String with(String field, String value) {
        String changed = RECORD.replaceFirst("\"" + field + "\":(\"[^\"]*\"|[^,}]*)", "\"" + field + "\":" + value);
        assertThat(changed).isNotEqualTo(RECORD);
        return changed;
    }

    private static String without(String field) {
        return RECORD.replaceFirst("\"" + field + "\":(\"[^\"]*\"|[^,}]*),?", "")
                .replace(",}", "}");
    }

    private LeaseSnapshot readOf(byte[] contents) throws Exception {
        directory.write("7.json", contents);
        return store.read();
    }

    private LeaseRecord recordOf(String contents) throws Exception {
        return Objects.requireNonNull(
                readOf(contents.getBytes(StandardCharsets.UTF_8)).record());
    }

    static Stream<String> otherShapes() {
        return Stream.of(
                "",
                " ",
                "\n",
                "{",
                "{\"holder\":\"a\"",
                RECORD.substring(0, RECORD.length() - 1),
                "not json",
                "[1,2]",
                "[" + RECORD + "]",
                "null",
                "\"x\"",
                "7",
                "true",
                "{}",
                RECORD + RECORD,
                RECORD + " x",
                "{\"epoch\":7," + RECORD.substring(1),
                "{\"holder\":\"b\"," + RECORD.substring(1),
                "\0".repeat(4096),
                RECORD + "\0",
                RECORD.replace("\"a\"", "\"a\0\""),
                "[".repeat(100_000),
                "{\"a\":".repeat(10_000),
                "{\"deep\":" + "[".repeat(2000) + "]".repeat(2000) + "," + RECORD.substring(1),
                "9".repeat(100_000),
                "a".repeat(10_000_000),
                RECORD.replace('"', '\''),
                "// comment\n" + RECORD);
    }

    static Stream<String> otherValues() {
        return Stream.of(
                with("holder", "1"),
                with("holder", "null"),
                with("holder", "[\"a\"]"),
                with("holder", "true"),
                with("claim", "1"),
                with("claim", "null"),
                with("sequence", "null"),
                with("sequence", "\"3\""),
                with("sequence", "3.0"),
                with("sequence", "-1"),
                with("sequence", "9223372036854775808"),
                with("ttl", "30"),
                with("ttl", "1.5"),
                with("ttl", "null"),
                with("ttl", "\"30\""),
                with("ttl", "\"\""),
                with("ttl", "\"PT0S\""),
                with("ttl", "\"PT-30S\""),
                with("ttl", "\"P1000000000D\""),
                with("ttl", "\"PT9999999999999999999S\""),
                with("expires_at", "5"),
                with("expires_at", "null"),
                with("expires_at", "\"not-a-time\""),
                with("expires_at", "\"2026-01-01T12:00:30\""),
                with("expires_at", "\"2026-02-30T12:00:30Z\""),
                with("expires_at", "\"+9999999999-01-01T00:00:00Z\""),
                with("released", "null"),
                with("released", "0"),
                with("released", "\"\""),
                with("released", "\"true\""),
                without("holder"),
                without("claim"),
                without("sequence"),
                without("ttl"),
                without("expires_at"),
                without("released"));
    }

    static Stream<String> otherEpochs() {
        return Stream.of(
                with("epoch", "\"7\""),
                with("epoch", "7.0"),
                with("epoch", "7e0"),
                with("epoch", "null"),
                with("epoch", "-1"),
                with("epoch", "0"),
                with("epoch", "6"),
                with("epoch", "8"),
                with("epoch", "07"),
                with("epoch", "9007199254740993"),
                with("epoch", "9223372036854775807"),
                with("epoch", "9223372036854775808"),
                with("epoch", "18446744073709551623"),
                with("epoch", "true"),
                with("epoch", "[7]"),
                with("epoch", "{}"),
                without("epoch"));
    }

    static Stream<byte[]> otherBytes() {
        Charset latin = StandardCharsets.ISO_8859_1;
        return Stream.of(
                new byte[] {(byte) 0xff, (byte) 0xfe},
                new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf},
                new byte[] {0, 0, (byte) 0xfe, (byte) 0xff, 0, 0x11, 0, 0},
                new byte[] {'{', 0, 0, 0, '"'},
                new byte[] {0, 0, 0, '{', (byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff},
                with("holder", "\"\u00c3(\"").getBytes(latin),
                with("holder", "\"\u00ed\u00a0\u0080\"").getBytes(latin),
                with("holder", "\"\u00ff\"").getBytes(latin),
                RECORD.substring(0, 40).getBytes(StandardCharsets.UTF_16LE));
    }

    @ParameterizedTest
    @MethodSource({"otherShapes", "otherValues", "otherEpochs"})
    void whatIsNoRecordKeepsItsEpochAndCanBeTakenOver(String contents) throws Exception {
        assertNoRecord(contents.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @MethodSource("otherBytes")
    void bytesThatAreNoTextKeepTheirEpochAndCanBeTakenOver(byte[] contents) throws Exception {
        assertNoRecord(contents);
    }

    private void assertNoRecord(byte[] contents) throws Exception {
        LeaseSnapshot found = readOf(contents);
        assertThat(found.record()).isNull();
        assertThat(found.epoch()).isEqualTo(7);
        assertThat(found.leaseId()).isNotNull();
        assertThat(found.ttl()).isEqualTo(Duration.ZERO);
        assertThat(store.read().unchangedFrom(found)).isTrue();
        assertThat(store.replace(found, claim("b", 8))).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(store.read().record()).isEqualTo(claim("b", 8));
    }

    @Test
    void aWholeRecordIsRead() throws Exception {
        assertThat(recordOf(RECORD))
                .isEqualTo(new LeaseRecord(
                        "a", "c", 7, 3, Duration.ofSeconds(30), Instant.parse("2026-01-01T00:00:30Z"), false));
    }

    @Test
    void layoutAndUnknownFieldsAreNoDifference() throws Exception {
        LeaseRecord plain = recordOf(RECORD);
        assertThat(recordOf("\r\n{\r\n  " + RECORD.substring(1).replace(",", " ,\r\n\t") + "\r\n"))
                .isEqualTo(plain);
        assertThat(recordOf("{\"later\":{\"a\":[1,null]}," + RECORD.substring(1)))
                .isEqualTo(plain);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "\\u0000", "\\ud83d\\ude80"})
    void aBlankOrOddHolderIsStillARecord(String holder) throws Exception {
        assertThat(recordOf(with("holder", "\"" + holder.replace("\\", "\\\\") + "\""))
                        .epoch())
                .isEqualTo(7);
    }

    @Test
    void aVeryShortTtlIsRead() throws Exception {
        assertThat(recordOf(with("ttl", "\"PT0.000000001S\"")).ttl()).isEqualTo(Duration.ofNanos(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"+1000000000-12-31T23:59:59.999999999Z", "-1000000000-01-01T00:00:00Z"})
    void theMostDistantTimesAreRead(String time) throws Exception {
        assertThat(recordOf(with("expires_at", "\"" + time + "\"")).expiresAt()).isEqualTo(Instant.parse(time));
    }

    @ParameterizedTest
    @ValueSource(longs = {9007199254740993L, Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void anEpochIsExactToTheLastBit(long epoch) throws Exception {
        directory.write(epoch + ".json", with("epoch", String.valueOf(epoch)));
        assertThat(Objects.requireNonNull(store.read().record()).epoch()).isEqualTo(epoch);
        directory.write(epoch + ".json", with("epoch", String.valueOf(epoch - 1)));
        assertThat(store.read().record()).isNull();
        assertThat(store.read().epoch()).isEqualTo(epoch);
    }

    @Test
    void whereTheHighestFileNamesNoTtlTheLongestBelowCounts() throws Exception {
        directory.write("3.json", with("epoch", "3").replace("PT30S", "PT10M"));
        directory.write("4.json", with("epoch", "4").replace("PT30S", "PT5S"));
        directory.write("5.json", "not json");
        assertThat(readOf("not json".getBytes(StandardCharsets.UTF_8)).ttl()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void garbageIsReportedOnceWithItsFile() throws Exception {
        try (LogCapture log = new LogCapture(FileLeaseStore.class)) {
            readOf("not json".getBytes(StandardCharsets.UTF_8));
            store.read();
            store.read();
            assertThat(log.warnings()).hasSize(1);
            assertThat(log.warnings().get(0))
                    .contains(directory.path.resolve("7.json").toString());
            readOf("not yet json".getBytes(StandardCharsets.UTF_8));
            assertThat(log.warnings()).hasSize(2);
        }
    }
}
