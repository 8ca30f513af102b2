package io.leasehold.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoOptionsTest {

    @Test
    void whatIsNotGivenHasADefault() {
        assertThat(DemoOptions.parse("--ttl=5s", "--work=20ms"))
                .isEqualTo(new DemoOptions(
                        Duration.ofSeconds(5),
                        Duration.ofMillis(100),
                        Duration.ofMillis(20),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(120)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--ttl", "ttl=3s", "--ttl=soon", "--ttl=0s", "--ttl=-3s", "--ttl=10us", "--tll=3s"})
    void whatCannotBeUnderstoodIsRefusedByName(String arg) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DemoOptions.parse(arg))
                .withMessageContaining(arg.contains("tll") ? "tll" : arg);
    }
}
