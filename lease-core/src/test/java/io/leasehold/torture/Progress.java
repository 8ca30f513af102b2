package io.leasehold.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a commit writes: how far the events are handled, and by whom. It is under one key for all commits, and under one of a
 * few that take turns, so that a state put together of old and new parts is known.
 *
 * @param epoch the epoch of the term that commits
 * @param number the last event that was handled
 */
record Progress(long epoch, long number) implements Comparable<Progress> {
    static final String COUNT = "count";

    private static final int SLOTS = 8;

    Map<String, String> entries() {
        return Map.of(COUNT, toString(), slot(), toString());
    }

    /** The key of its turn. */
    String slot() {
        return "slot" + number % SLOTS;
    }

    @Override
    public int compareTo(Progress other) {
        return epoch != other.epoch ? Long.compare(epoch, other.epoch) : Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return epoch + "." + number;
    }

    static Progress parse(String text) {
        String[] parts = text.split("\\.", -1);
        return new Progress(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
    }

    /** A whole state as one word. */
    static String word(Map<String, String> entries) {
        List<String> words = new ArrayList<>();
        new TreeMap<>(entries).forEach((key, value) -> words.add(key + "=" + value));
        return words.isEmpty() ? HistoryLine.NO_DETAIL : String.join(",", words);
    }

    /** The state that a word stands for. */
    static Map<String, Progress> ofWord(String word) {
        Map<String, Progress> entries = new TreeMap<>();
        if (!word.equals(HistoryLine.NO_DETAIL)) {
            for (String entry : word.split(",", -1)) {
                String[] parts = entry.split("=", -1);
                entries.put(parts[0], parse(parts[1]));
            }
        }
        return entries;
    }
}
