package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;

class RabbitTest extends ListenerContract {
    private static final RabbitTechnology RABBIT = new RabbitTechnology("simple");

    RabbitTest() {
        super(RABBIT);
    }

    @Test
    void ofFiveHundredMessagesAStandbyHandlesNone() {
        RABBIT.publish(destination(), "waiting", 500);
        ListeningReplica standby;
        try (LeaderLease other = holdElsewhere()) {
            standby = start(ListenerContract::finish);
            for (int i = 0; i < 5; i++) {
                standby.context().pause();
                standby.context().restart();
                standby.context().stop();
                standby.context().start();
            }
            await().during(A_WHILE).until(() -> !standby.container().isRunning());
            assertThat(standby.received().begun()).isEmpty();
        }
        await().until(() -> standby.received().done().size() == 500);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "spring.rabbitmq.listener.simple.default-requeue-rejected=false",
                "spring.rabbitmq.listener.simple.acknowledge-mode=manual",
                "spring.rabbitmq.listener.simple.retry.enabled=true",
            })
    void aRefusedMessageComesAgain(String setting, CapturedOutput output) {
        aRefusedMessageComesAgain(output, setting, "spring.rabbitmq.listener.simple.prefetch=1");
    }
}
