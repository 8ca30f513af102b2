package io.leasehold;

import io.leasehold.file.FileRequest;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Random texts of one process, which differ each time it is run again: outside of it each goes by a name that tells only who
 * made it, and as which one of its kind.
 */
final class ExploredNames {
    private static final Pattern CLAIM = Pattern.compile("\"claim\":\"([0-9a-f]{32})\"");
    private static final Pattern TEMPORARY = Pattern.compile("\\.[0-9]+\\.([0-9a-f-]{36})\\.tmp");

    private final int maker;
    private final Map<String, String> outside = new LinkedHashMap<>();
    private int claims;
    private int temporaries;

    ExploredNames(int process, int start) {
        maker = 16 * (process + 10) + start;
    }

    /** The request as it is made outside. */
    FileRequest outside(FileRequest request) {
        if (request.reads()) {
            return request;
        }
        Matcher claim = CLAIM.matcher(request.text());
        if (claim.find()) {
            outside.computeIfAbsent(claim.group(1), random -> String.format("%030x%02x", ++claims, maker));
        }
        Path from = request.from();
        return new FileRequest(
                request.operation(),
                outside(request.path()),
                from == null ? null : outside(from),
                outside(request.text()),
                request.limit());
    }

    /** A text of this process as it reads outside. */
    String outside(String text) {
        if (text.length() < 32) {
            return text;
        }
        String read = text;
        for (Map.Entry<String, String> name : outside.entrySet()) {
            read = read.replace(name.getKey(), name.getValue());
        }
        return read;
    }

    /** A text from outside as it reads in this process. */
    @Nullable
    String inside(@Nullable String text) {
        String read = text;
        if (read != null) {
            for (Map.Entry<String, String> name : outside.entrySet()) {
                read = read.replace(name.getValue(), name.getKey());
            }
        }
        return read;
    }

    /** How many names were given; the next ones depend on it. */
    String given() {
        return claims + " " + temporaries;
    }

    private Path outside(Path path) {
        String name = String.valueOf(path.getFileName());
        Matcher temporary = TEMPORARY.matcher(name);
        if (!temporary.matches()) {
            return path;
        }
        String random = temporary.group(1);
        String known = outside.computeIfAbsent(random, r -> String.format("%x-%x", maker, ++temporaries));
        return path.resolveSibling(name.replace(random, known));
    }
}
