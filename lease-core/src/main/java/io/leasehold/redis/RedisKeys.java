package io.leasehold.redis;

import java.nio.charset.StandardCharsets;

/**
 * Where the parts of one lease are. The lease's name is the hash tag, so that all of them share a slot; what would end the
 * tag, and the mark of the encoding, are written as a percent sign and two digits.
 */
final class RedisKeys {
    private final String start;

    RedisKeys(String prefix, String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A lease needs a name");
        }
        start = prefix + '{' + encoded(name) + "}:";
    }

    String lease() {
        return start + "lease";
    }

    String state() {
        return start + "state";
    }

    String channel() {
        return start + "changes";
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String encoded(String name) {
        return name.replace("%", "%25").replace("{", "%7B").replace("}", "%7D");
    }
}
