package io.leasehold.file;

import io.leasehold.store.LeaseRecord;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * The contents of the files. Reading is strict: nothing is converted from one type to another, missing, duplicate and
 * trailing parts are refused, and only unknown fields, which a later version may add, are passed over.
 */
final class Json {
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

    private Json() {}

    /** Contents that cannot be understood; the message says why, without the contents. */
    static final class UnreadableException extends Exception {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message) {
            super(message);
        }
    }

    /** The file of a term of the lease. */
    private record LeaseFile(
            String holder, String claim, long epoch, long sequence, String ttl, String expires_at, boolean released) {}

    /** The file that tells what a directory is for. */
    record Marker(String kind, String lease, String id) {}

    /** The file of a term of the state; the lease is the id in its marker. */
    record Segment(
            String lease, String holder, long epoch, long sequence, boolean seeded, Map<String, String> entries) {}

    static byte[] write(LeaseRecord record) {
        return MAPPER.writeValueAsBytes(new LeaseFile(
                record.holder(),
                record.claim(),
                record.epoch(),
                record.sequence(),
                record.ttl().toString(),
                record.expiresAt().toString(),
                record.released()));
    }

    static byte[] write(Marker marker) {
        return MAPPER.writeValueAsBytes(marker);
    }

    static byte[] write(Segment segment) {
        return MAPPER.writeValueAsBytes(segment);
    }

    /** The term's record, if the file is a whole one of this epoch. */
    static LeaseRecord readLease(byte[] contents, long epoch) throws UnreadableException {
        LeaseFile file = read(contents, LeaseFile.class);
        requireEpoch(epoch, file.epoch);
        try {
            Duration ttl = Duration.parse(file.ttl);
            if (file.sequence < 0 || ttl.isNegative() || ttl.isZero() || ttl.compareTo(LONGEST_TTL) > 0) {
                throw new UnreadableException("sequence or ttl is out of range");
            }
            return new LeaseRecord(
                    file.holder, file.claim, epoch, file.sequence, ttl, Instant.parse(file.expires_at), file.released);
        } catch (DateTimeException e) {
            throw new UnreadableException("ttl or expires_at is not an ISO-8601 duration and instant");
        }
    }

    static Marker readMarker(byte[] contents) throws UnreadableException {
        return read(contents, Marker.class);
    }

    /** The term's segment, if the file is a whole one of this epoch. */
    static Segment readSegment(byte[] contents, long epoch) throws UnreadableException {
        Segment segment = read(contents, Segment.class);
        requireEpoch(epoch, segment.epoch);
        if (segment.entries.containsValue(null)) {
            throw new UnreadableException("an entry has no value");
        }
        return new Segment(
                segment.lease, segment.holder, epoch, segment.sequence, segment.seeded, new TreeMap<>(segment.entries));
    }

    /** A file that fills what is read of it may go on, and is no whole one. */
    static void requireWhole(byte[] contents, int limit) throws UnreadableException {
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
        T value;
        try {
            value = MAPPER.readValue(contents, type);
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
