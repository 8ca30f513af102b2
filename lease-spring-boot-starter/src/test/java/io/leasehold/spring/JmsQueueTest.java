package io.leasehold.spring;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.system.CapturedOutput;

class JmsQueueTest extends ListenerContract {

    JmsQueueTest() {
        super(new JmsTechnology(false));
    }

    @Test
    void aRefusedMessageComesAgainWhereTheClientAcknowledges(CapturedOutput output) {
        aRefusedMessageComesAgain(
                output,
                "spring.jms.listener.session.transacted=false",
                "spring.jms.listener.session.acknowledge-mode=client");
    }
}
