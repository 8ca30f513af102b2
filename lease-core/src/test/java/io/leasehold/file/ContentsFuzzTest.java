package io.leasehold.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Fuzz;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseSnapshot;
import io.leasehold.store.LeaseStoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whatever is in a file: it is understood as what it says, or named and refused, and no older one is used in its place. */
class ContentsFuzzTest {
    private static final String LEASE =
            "{\"holder\":\"a\",\"claim\":\"c\",\"epoch\":7,\"sequence\":3,\"ttl\":\"PT30S\","
                    + "\"expires_at\":\"2026-01-01T00:00:30Z\",\"released\":false}";
    private static final String SEGMENT = "{\"lease\":\"id\",\"holder\":\"a\",\"epoch\":7,\"sequence\":3,"
            + "\"seeded\":true,\"entries\":{\"orders\":\"17\",\"k\u00fcche\":\"\"}}";
    private static final String MARKER = "{\"kind\":\"lease\",\"lease\":\"orders\",\"id\":\"4711\"}";

    /** Reads leniently; apart from the code under test. */
    private static final JsonMapper ORACLE = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    @TempDir
    Path temporary;

    private interface Check {
        boolean accepts(byte[] contents) throws Exception;
    }

    private static void fuzz(String what, String valid, Check check) {
        AtomicInteger accepted = new AtomicInteger();
        Fuzz.run(what, seed -> {
            byte[] contents = new FuzzedContents(new SplittableRandom(seed)).garbled(valid);
            if (check.accepts(contents)) {
                accepted.incrementAndGet();
            }
        });
        assertThat(Fuzz.isRepeated() || accepted.get() > 0)
                .as("some are still understood")
                .isTrue();
    }

    @Test
    void anEpochsFileIsWhatItSaysOrNamedInAWarningAndItsEpochCounts() throws Exception {
        TestDirectory directory = new TestDirectory(temporary.resolve("lease"));
        FileLeaseStore store = directory.leaseStore();
        store.initialize();
        fuzz("an epoch's file", LEASE, contents -> {
            directory.write("7.json", "changed");
            store.read();
            directory.write("7.json", contents);
            try (LogCapture log = new LogCapture(FileLeaseStore.class)) {
                LeaseSnapshot found = store.read();
                assertThat(found.epoch()).isEqualTo(7);
                LeaseRecord record = found.record();
                if (record == null) {
                    assertThat(log.warnings()).singleElement().asString().contains("7.json cannot be understood");
                } else {
                    assertThat(record).isEqualTo(record(tree(contents)));
                    assertThat(record.ttl()).isPositive();
                }
                assertThat(store.read().unchangedFrom(found)).isTrue();
                return record != null;
            }
        });
    }

    @Test
    void aSegmentIsWhatItSaysOrNamedAndRefusedAndNoOlderOneIsUsed() throws Exception {
        TestDirectory directory = new TestDirectory(temporary.resolve("state"));
        FileStateStore store = directory.stateStore();
        store.open(3, "old", "id").write(Map.of("orders", "3"));
        fuzz("a segment", SEGMENT, contents -> {
            directory.write("7.json", contents);
            assertThat(store.head().epoch()).isEqualTo(7);
            Map<String, String> found;
            try {
                found = store.snapshot();
            } catch (StateStoreException e) {
                assertThat(e.getMessage()).contains("7.json cannot be understood");
                return false;
            }
            JsonNode tree = tree(contents);
            assertThat(tree.get("epoch").isIntegralNumber()).isTrue();
            assertThat(tree.get("epoch").longValue()).isEqualTo(7);
            assertThat(tree.get("seeded").isBoolean()).isTrue();
            if (tree.get("seeded").booleanValue()) {
                assertThat(found).isEqualTo(entries(tree.get("entries")));
            } else {
                assertThat(found).isEqualTo(Map.of("orders", "3"));
            }
            return true;
        });
    }

    @Test
    void aMarkerIsWhatItSaysOrNamedAndRefused() throws Exception {
        TestDirectory directory = new TestDirectory(temporary.resolve("lease"));
        FileLeaseStore store = directory.leaseStore();
        store.initialize();
        fuzz("a marker", MARKER, contents -> {
            directory.write("marker.json", contents);
            String id;
            try {
                id = store.read().leaseId();
            } catch (LeaseStoreException e) {
                assertThat(e.getMessage()).contains(directory.path.toString());
                return false;
            }
            JsonNode tree = tree(contents);
            assertThat(tree.get("kind").stringValue()).isEqualTo("lease");
            assertThat(tree.get("lease").stringValue()).isEqualTo("orders");
            assertThat(tree.get("id").stringValue()).isEqualTo(id);
            return true;
        });
    }

    private static JsonNode tree(byte[] contents) {
        try {
            return ORACLE.readTree(contents);
        } catch (JacksonException e) {
            throw new AssertionError("understood what is no JSON", e);
        }
    }

    private static LeaseRecord record(JsonNode tree) {
        assertThat(tree.get("epoch").isIntegralNumber()).isTrue();
        assertThat(tree.get("sequence").isIntegralNumber()).isTrue();
        assertThat(tree.get("sequence").canConvertToLong()).isTrue();
        return new LeaseRecord(
                tree.get("holder").stringValue(),
                tree.get("claim").stringValue(),
                tree.get("epoch").longValue(),
                tree.get("sequence").longValue(),
                Duration.parse(tree.get("ttl").stringValue()),
                Instant.parse(tree.get("expires_at").stringValue()),
                tree.get("released").booleanValue());
    }

    private static Map<String, @Nullable String> entries(JsonNode tree) {
        Map<String, @Nullable String> entries = new HashMap<>();
        tree.properties()
                .forEach(entry -> entries.put(entry.getKey(), entry.getValue().stringValue()));
        return entries;
    }
}
