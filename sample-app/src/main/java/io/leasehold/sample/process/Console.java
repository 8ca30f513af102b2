package io.leasehold.sample.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Publishes each line on the standard input as a {@link ConsoleLine}, and ends the process when the input ends: a child
 * does not outlive the process that started it. One that is still starting ends as soon as it has started.
 */
@Component
@ConditionalOnBooleanProperty("sample.console")
class Console {
    private static final Logger LOG = LoggerFactory.getLogger(Console.class);

    private final ConfigurableApplicationContext context;

    Console(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        Thread reader = new Thread(this::read, "console");
        reader.setDaemon(true);
        reader.start();
    }

    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                context.publishEvent(new ConsoleLine(line.strip()));
            }
        } catch (IOException e) {
            LOG.warn("The standard input cannot be read; this process ends", e);
        }
        System.exit(SpringApplication.exit(context));
    }
}
