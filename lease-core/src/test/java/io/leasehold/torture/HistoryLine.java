package io.leasehold.torture;

import java.util.Locale;

/**
 * One line of a history. Times are those of {@link System#nanoTime()}, which on Linux is one clock for all processes of a
 * machine.
 *
 * @param fromNs before it happened
 * @param toNs after it happened
 * @param event what happened
 * @param epoch the epoch of the term, or 0
 * @param number what it means depends on the event
 * @param detail one word; {@link #NO_DETAIL} for none
 */
record HistoryLine(long fromNs, long toNs, HistoryEvent event, long epoch, long number, String detail) {
    static final String NO_DETAIL = "-";

    private static final int WORDS = 6;

    HistoryLine {
        if (detail.isEmpty() || detail.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("'" + detail + "' is not one word");
        }
    }

    String format() {
        return fromNs + " " + toNs + " " + event.name().toLowerCase(Locale.ROOT) + " " + epoch + " " + number + " "
                + detail;
    }

    static HistoryLine parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException("'" + text + "' is not a line of a history");
        }
        return new HistoryLine(
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                HistoryEvent.valueOf(words[2].toUpperCase(Locale.ROOT)),
                Long.parseLong(words[3]),
                Long.parseLong(words[4]),
                words[5]);
    }
}
