package io.leasehold;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Keeps the log of thousands of simulated processes out of the build's. */
final class QuietLog implements BeforeEachCallback, AfterEachCallback {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.leasehold");
    private @Nullable Level before;

    @Override
    public void beforeEach(ExtensionContext context) {
        before = logger.getLevel();
        logger.setLevel(Level.OFF);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        logger.setLevel(before);
    }
}
