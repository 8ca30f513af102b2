package io.leasehold.sample.process;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the sample's processes.
 *
 * @param brokerPort the port of the broker on the loopback address
 * @param history the file to note in what the process does; null for none
 * @param console whether the process obeys lines on its standard input and ends when that is closed
 * @param publishEvery the time from one event to the next
 * @param work how long the work of one event takes
 * @param replayRetry after how long a replica that waits for an event asks for it again
 */
@ConfigurationProperties("sample")
public record SampleSettings(
        @DefaultValue("61616") int brokerPort,
        @Nullable Path history,
        @DefaultValue("false") boolean console,
        @DefaultValue("100ms") Duration publishEvery,
        @DefaultValue("30ms") Duration work,
        @DefaultValue("500ms") Duration replayRetry) {}
