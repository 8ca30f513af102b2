package io.leasehold.spring.autoconfigure;

/** Text for a log, of which a part may be what anybody wrote into a property. */
final class Printable {
    /** Longer than any path that can be used. */
    private static final int LONGEST = 5000;

    private Printable() {}

    static String of(String text) {
        String start = text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text;
        return start.replaceAll("\\p{Cc}", "?");
    }
}
