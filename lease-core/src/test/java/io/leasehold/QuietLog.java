package io.leasehold;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Keeps the log of thousands of simulated processes out of the build's. */
final class QuietLog {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.leasehold");
    private @Nullable Level before;

    void begin() {
        before = logger.getLevel();
        logger.setLevel(Level.OFF);
    }

    void end() {
        logger.setLevel(before);
    }
}
