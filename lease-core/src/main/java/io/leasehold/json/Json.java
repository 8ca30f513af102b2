package io.leasehold.json;

import io.leasehold.state.StateRecord;
import io.leasehold.store.LeaseRecord;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * What stores write down, as JSON. Reading is strict: nothing is converted from one type to another, missing, duplicate and
 * trailing parts are refused, and only unknown fields, which a later version may add, are passed over. Immutable.
 */
public final class Json {
    /** A ttl beyond this is a fault of whoever wrote it, not a lease. */
    private static final Duration LONGEST_TTL = Duration.ofDays(365);

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .withCoercionConfig(LogicalType.Textual, textual -> {
                textual.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail);
                textual.setCoercion(CoercionInputShape.Float, CoercionAction.Fail);
                textual.setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail);
            })
            .build();

    private static final TypeReference<Map<String, String>> ENTRIES = new TypeReference<>() {};

    private Json() {}

    /** Contents that cannot be understood; the message says why, without the contents. */
    public static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message) {
            super(message);
        }
    }

    /** The file of a term of the lease. */
    private record LeaseFile(
            String holder, String claim, long epoch, long sequence, String ttl, String expires_at, boolean released) {}

    /** The state of a store that replaces it as a whole. */
    private record StateFile(String lease, String holder, long epoch, long sequence, Map<String, String> entries) {}

    /**
     * The file that tells what a directory is for.
     *
     * @param kind what is kept there: a lease or a state
     * @param lease the lease's name
     * @param id the lease's id
     */
    public record Marker(String kind, String lease, String id) {}

    /**
     * The file of a term of the state.
     *
     * @param lease the id in the lease's marker
     * @param holder who opened the epoch
     * @param epoch the term's number
     * @param sequence rises with every write
     * @param seeded whether the entries of the term before have been taken over
     * @param entries the state
     */
    public record Segment(
            String lease, String holder, long epoch, long sequence, boolean seeded, Map<String, String> entries) {}

    /**
     * A term of the lease as text.
     *
     * @param record the term
     * @return UTF-8
     */
    public static byte[] write(LeaseRecord record) {
        return MAPPER.writeValueAsBytes(new LeaseFile(
                record.holder(),
                record.claim(),
                record.epoch(),
                record.sequence(),
                record.ttl().toString(),
                record.expiresAt().toString(),
                record.released()));
    }

    /**
     * A marker as text.
     *
     * @param marker the marker
     * @return UTF-8
     */
    public static byte[] write(Marker marker) {
        return MAPPER.writeValueAsBytes(marker);
    }

    /**
     * A segment as text.
     *
     * @param segment the segment
     * @return UTF-8
     */
    public static byte[] write(Segment segment) {
        return MAPPER.writeValueAsBytes(segment);
    }

    /**
     * Reads a term of the lease.
     *
     * @param contents the text
     * @param epoch the epoch that the contents are found under
     * @return the term
     * @throws UnreadableException unless it is a whole one of this epoch
     */
    public static LeaseRecord readLease(byte[] contents, long epoch) throws UnreadableException {
        LeaseFile file = read(contents, LeaseFile.class);
        requireEpoch(epoch, file.epoch);
        return record(file);
    }

    /**
     * Reads a term of the lease that names its epoch itself.
     *
     * @param contents the text
     * @return the term
     * @throws UnreadableException unless it is a whole one
     */
    public static LeaseRecord readLease(byte[] contents) throws UnreadableException {
        LeaseFile file = read(contents, LeaseFile.class);
        if (file.epoch < 1) {
            throw new UnreadableException("epoch is out of range");
        }
        return record(file);
    }

    private static LeaseRecord record(LeaseFile file) throws UnreadableException {
        return term(file.holder, file.claim, file.epoch, file.sequence, file.ttl, file.expires_at, file.released);
    }

    /**
     * A term of the lease whose parts a store keeps apart.
     *
     * @param holder the holder's id
     * @param claim the claim's random text
     * @param epoch the term's number
     * @param sequence the number of the write
     * @param ttl an ISO-8601 duration
     * @param expiresAt an ISO-8601 instant
     * @param released whether the holder has given the lease up
     * @return the term
     * @throws UnreadableException where a part is out of its range, or no duration or instant
     */
    public static LeaseRecord term(
            String holder, String claim, long epoch, long sequence, String ttl, String expiresAt, boolean released)
            throws UnreadableException {
        try {
            Duration parsed = Duration.parse(ttl);
            if (sequence < 0 || parsed.isNegative() || parsed.isZero() || parsed.compareTo(LONGEST_TTL) > 0) {
                throw new UnreadableException("sequence or ttl is out of range");
            }
            return new LeaseRecord(holder, claim, epoch, sequence, parsed, Instant.parse(expiresAt), released);
        } catch (DateTimeException e) {
            throw new UnreadableException("ttl or expires_at is not an ISO-8601 duration and instant");
        }
    }

    /**
     * Reads a marker.
     *
     * @param contents the text
     * @return the marker
     * @throws UnreadableException unless it is a whole one
     */
    public static Marker readMarker(byte[] contents) throws UnreadableException {
        return read(contents, Marker.class);
    }

    /**
     * Reads a segment.
     *
     * @param contents the text
     * @param epoch the epoch that the contents are found under
     * @return the segment
     * @throws UnreadableException unless it is a whole one of this epoch
     */
    public static Segment readSegment(byte[] contents, long epoch) throws UnreadableException {
        Segment segment = read(contents, Segment.class);
        requireEpoch(epoch, segment.epoch);
        return new Segment(
                segment.lease, segment.holder, epoch, segment.sequence, segment.seeded, sorted(segment.entries));
    }

    /**
     * A state as text.
     *
     * @param state the state
     * @return UTF-8
     */
    public static byte[] write(StateRecord state) {
        return MAPPER.writeValueAsBytes(new StateFile(
                state.leaseId(), state.holder(), state.epoch(), state.sequence(), new TreeMap<>(state.entries())));
    }

    /**
     * Reads a state.
     *
     * @param contents the text
     * @return the state
     * @throws UnreadableException unless it is a whole one
     */
    public static StateRecord readState(byte[] contents) throws UnreadableException {
        StateFile file = read(contents, StateFile.class);
        if (file.epoch < 1 || file.sequence < 0) {
            throw new UnreadableException("epoch or sequence is out of range");
        }
        return new StateRecord(file.lease, file.holder, file.epoch, file.sequence, sorted(file.entries));
    }

    /**
     * The entries of a state as text, for a store that keeps the rest in fields of its own.
     *
     * @param entries the entries
     * @return UTF-8
     */
    public static byte[] writeEntries(Map<String, String> entries) {
        return MAPPER.writeValueAsBytes(new TreeMap<>(entries));
    }

    /**
     * Reads entries.
     *
     * @param contents the text
     * @return the entries
     * @throws UnreadableException unless they are whole
     */
    public static SortedMap<String, String> readEntries(byte[] contents) throws UnreadableException {
        return sorted(read(() -> MAPPER.readValue(contents, ENTRIES)));
    }

    private static SortedMap<String, String> sorted(Map<String, String> entries) throws UnreadableException {
        if (entries.containsValue(null)) {
            throw new UnreadableException("an entry has no value");
        }
        return new TreeMap<>(entries);
    }

    /**
     * Refuses a text that fills what is read of it: it may go on, and is no whole one.
     *
     * @param contents what was read
     * @param limit how many bytes are read at most
     * @throws UnreadableException where there are as many
     */
    public static void requireWhole(byte[] contents, int limit) throws UnreadableException {
        if (contents.length >= limit) {
            throw new UnreadableException("it has " + limit + " bytes or more");
        }
    }

    private static void requireEpoch(long name, long contents) throws UnreadableException {
        if (name != contents) {
            throw new UnreadableException("it names epoch " + contents + ", its file name " + name);
        }
    }

    private static <T> T read(byte[] contents, Class<T> type) throws UnreadableException {
        return read(() -> MAPPER.readValue(contents, type));
    }

    private static <T> T read(Supplier<@Nullable T> reading) throws UnreadableException {
        T value;
        try {
            value = reading.get();
        } catch (JacksonException e) {
            throw new UnreadableException(describe(e));
        }
        if (value == null) {
            throw new UnreadableException("it is null");
        }
        return value;
    }

    /** The kind of fault and its place; Jackson's own messages quote the contents, which may be anything. */
    private static String describe(JacksonException e) {
        TokenStreamLocation place = e.getLocation();
        String kind = e.getClass().getSimpleName();
        return place == null ? kind : kind + " in line " + place.getLineNr() + ", column " + place.getColumnNr();
    }
}
