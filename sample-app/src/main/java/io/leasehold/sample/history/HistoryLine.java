package io.leasehold.sample.history;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/**
 * One line of a history: five words, separated by a space.
 *
 * @param at the wall-clock time
 * @param event what happened
 * @param epoch the epoch of the term in which it happened; 0 where there is none
 * @param number the number of the event that was published or worked on; 0 where there is none
 * @param detail one more word; {@value #NO_DETAIL} where there is none
 */
public record HistoryLine(Instant at, HistoryEvent event, long epoch, long number, String detail) {
    /** Stands for a detail that is not there. */
    public static final String NO_DETAIL = "-";

    private static final int WORDS = 5;

    /**
     * Checks that the detail is one word.
     *
     * @param at the wall-clock time
     * @param event what happened
     * @param epoch the epoch
     * @param number the number of the event
     * @param detail one more word
     */
    public HistoryLine {
        if (detail.isEmpty() || detail.chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("The detail of a line of history is one word, not '" + detail + "'");
        }
    }

    /**
     * Reads a whole line.
     *
     * @param text the line, without its end
     * @return the line
     * @throws IllegalArgumentException when it is not a line of history
     */
    public static HistoryLine parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != WORDS) {
            throw new IllegalArgumentException("Not a line of history: '" + text + "'");
        }
        try {
            return new HistoryLine(
                    Instant.parse(words[0]),
                    HistoryEvent.valueOf(words[1].toUpperCase(Locale.ROOT)),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    words[4]);
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw new IllegalArgumentException("Not a line of history: '" + text + "'", e);
        }
    }

    /**
     * The line as it is written.
     *
     * @return five words, without the end of the line
     */
    public String format() {
        return String.join(
                " ",
                at.toString(),
                event.name().toLowerCase(Locale.ROOT),
                Long.toString(epoch),
                Long.toString(number),
                detail);
    }
}
