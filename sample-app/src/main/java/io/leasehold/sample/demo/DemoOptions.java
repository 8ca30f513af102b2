package io.leasehold.sample.demo;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.convert.DurationStyle;

/**
 * The options of the demo.
 *
 * @param ttl the ttl of the lease
 * @param publishEvery the time from one event to the next
 * @param work how long the work of one event takes
 * @param calm how long the demo lets things run between two disturbances
 * @param patience how long it waits for something that must happen before it gives up
 */
record DemoOptions(Duration ttl, Duration publishEvery, Duration work, Duration calm, Duration patience) {
    static final String USAGE = """
            Usage: java -jar sample-app.jar demo [options]
              --ttl=3s               the ttl of the lease
              --publish-every=100ms  the time from one event to the next
              --work=30ms            how long the work of one event takes
              --calm=3s              how long things run between two disturbances
              --patience=120s        how long to wait for something that must happen
            """;

    /**
     * Reads the options.
     *
     * @throws IllegalArgumentException naming an option that is unknown or no duration above zero
     */
    static DemoOptions parse(String... args) {
        Map<String, Duration> given = new HashMap<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (!arg.startsWith("--") || equals < 0) {
                throw new IllegalArgumentException("Not an option with a value: " + arg);
            }
            given.put(arg.substring(2, equals), duration(arg, arg.substring(equals + 1)));
        }
        DemoOptions options = new DemoOptions(
                take(given, "ttl", Duration.ofSeconds(3)),
                take(given, "publish-every", Duration.ofMillis(100)),
                take(given, "work", Duration.ofMillis(30)),
                take(given, "calm", Duration.ofSeconds(3)),
                take(given, "patience", Duration.ofSeconds(120)));
        if (!given.isEmpty()) {
            throw new IllegalArgumentException("Unknown options: " + given.keySet());
        }
        return options;
    }

    private static Duration take(Map<String, Duration> given, String name, Duration unlessGiven) {
        Duration value = given.remove(name);
        return value == null ? unlessGiven : value;
    }

    private static Duration duration(String arg, String value) {
        Duration duration;
        try {
            duration = DurationStyle.detectAndParse(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Not a duration such as 3s or 100ms: " + arg, e);
        }
        if (duration.toMillis() <= 0) {
            throw new IllegalArgumentException("At least a millisecond is needed: " + arg);
        }
        return duration;
    }
}
