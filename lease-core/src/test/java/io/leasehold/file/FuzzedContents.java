package io.leasehold.file;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Garbles a valid file as crashes, other programs, editors and people do: with an eye for what a file of this kind is made of. */
public final class FuzzedContents {
    private static final Pattern FIELD = Pattern.compile("\"(\\w+)\":(\"[^\"]*\"|\\{[^{}]*\\}|[^,{}\\[\\]\"]+)");

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "false",
            "0",
            "-1",
            "-7",
            "7.0",
            "7e0",
            "+7",
            "07",
            "0x7",
            "\"7\"",
            "7.5",
            "1e400",
            "-0",
            "NaN",
            "Infinity",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775809",
            "9".repeat(2000),
            "[]",
            "{}",
            "[7]",
            "{\"x\":7}",
            "\"\"",
            "\"PT30S\"",
            "\"PT-1S\"",
            "\"P1000000000D\"",
            "\"PT9223372036854775807S\"",
            "\"PT0.0000000001S\"",
            "\"-1000000000-01-01T00:00:00Z\"",
            "\"+1000000000-12-31T23:59:59.999999999Z\"",
            "\"2026-01-01T24:00:00Z\"",
            "\"2026-02-30T00:00:00Z\"",
            "\"\\ud800\"",
            "\"\\u0000\"",
            "\"\u202e\"",
            "\"" + "x".repeat(70_000) + "\"",
            "",
            "\"",
            "{",
            "/* 7 */ 7",
            "'7'");

    private static final List<byte[]> BYTES = List.of(
            bytes(0xEF, 0xBB, 0xBF),
            bytes(0xFF, 0xFE),
            bytes(0xFE, 0xFF),
            bytes(0, 0, 0xFE, 0xFF),
            bytes(0xFF, 0xFE, 0, 0),
            bytes(0, 0, 0xFF, 0xFE),
            bytes(0xFE, 0xFF, 0, 0),
            bytes(0),
            bytes(0, 0, 0),
            bytes(0xC0, 0x80),
            bytes(0xFF),
            bytes(0xED, 0xA0, 0x80),
            bytes(0xE2, 0x82),
            bytes(0xF4, 0x90, 0x80, 0x80),
            bytes('\r', '\n'),
            bytes(0x1A),
            bytes(0x7F),
            bytes(0x85),
            bytes('\\'),
            bytes('"'),
            bytes('{'),
            bytes(','));

    private static final List<Charset> CHARSETS = List.of(
            StandardCharsets.UTF_16,
            StandardCharsets.UTF_16LE,
            StandardCharsets.UTF_16BE,
            Charset.forName("UTF-32LE"),
            Charset.forName("UTF-32BE"),
            Charset.forName("X-UTF-32LE-BOM"),
            Charset.forName("IBM037"));

    private final SplittableRandom random;

    /** Draws from a source of its own, so that a seed repeats everything. */
    public FuzzedContents(SplittableRandom random) {
        this.random = random;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    /** One to three changes, one after another. */
    public byte[] garbled(String valid) {
        byte[] contents = valid.getBytes(StandardCharsets.UTF_8);
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            contents = random.nextBoolean() ? changedAsText(contents) : changedAsBytes(contents);
        }
        return contents;
    }

    private byte[] changedAsText(byte[] contents) {
        String text = new String(contents, StandardCharsets.UTF_8);
        List<MatchResult> fields = FIELD.matcher(text).results().toList();
        if (fields.isEmpty()) {
            return changedAsBytes(contents);
        }
        MatchResult field = fields.get(random.nextInt(fields.size()));
        String before = text.substring(0, field.start());
        String after = text.substring(field.end());
        String value = VALUES.get(random.nextInt(VALUES.size()));
        String changed = switch (random.nextInt(9)) {
            case 0, 1, 2 -> before + "\"" + field.group(1) + "\":" + value + after;
            case 3 -> before + field.group() + ",\"" + field.group(1) + "\":" + value + after;
            case 4 -> (before + after).replace(",}", "}").replace("{,", "{").replace(",,", ",");
            case 5 -> before + field.group() + ",\"unknown\":" + value + after;
            case 6 -> before + "\"" + field.group(1).toUpperCase(Locale.ROOT) + "\":" + field.group(2) + after;
            case 7 -> before + "\"" + field.group(1) + "\":" + nested() + after;
            default -> text.replace(",", random.nextBoolean() ? ",\r\n\t" : " , ");
        };
        return changed.getBytes(StandardCharsets.UTF_8);
    }

    private String nested() {
        int depth = 1 << random.nextInt(16);
        return switch (random.nextInt(3)) {
            case 0 -> "[".repeat(depth) + "]".repeat(depth);
            case 1 -> "{\"a\":".repeat(depth) + "7" + "}".repeat(depth);
            default -> "[".repeat(depth);
        };
    }

    private byte[] changedAsBytes(byte[] contents) {
        int at = contents.length == 0 ? 0 : random.nextInt(contents.length);
        return switch (random.nextInt(10)) {
            case 0 -> Arrays.copyOf(contents, at);
            case 1 -> joined(BYTES.get(random.nextInt(BYTES.size())), contents);
            case 2 ->
                joined(
                        Arrays.copyOf(contents, at),
                        BYTES.get(random.nextInt(BYTES.size())),
                        Arrays.copyOfRange(contents, at, contents.length));
            case 3 -> flipped(contents, 1 + random.nextInt(3));
            case 4 -> new byte[random.nextInt(5000)];
            case 5 -> overwritten(contents, at, random.nextBoolean());
            case 6 ->
                new String(contents, StandardCharsets.UTF_8).getBytes(CHARSETS.get(random.nextInt(CHARSETS.size())));
            case 7 -> joined(contents, random.nextBoolean() ? contents : BYTES.get(random.nextInt(BYTES.size())));
            case 8 -> joined(contents, " ".repeat(random.nextInt(200_000)).getBytes(StandardCharsets.UTF_8));
            default -> random(random.nextInt(2000));
        };
    }

    private byte[] flipped(byte[] contents, int bits) {
        byte[] changed = contents.clone();
        for (int i = 0; i < bits && changed.length > 0; i++) {
            changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return changed;
    }

    private byte[] overwritten(byte[] contents, int at, boolean withNuls) {
        byte[] changed = contents.clone();
        byte[] other = random(Math.min(changed.length - at, 1 + random.nextInt(40)));
        System.arraycopy(withNuls ? new byte[other.length] : other, 0, changed, at, other.length);
        return changed;
    }

    private byte[] random(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        List.of(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }
}
