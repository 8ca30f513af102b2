package io.leasehold.sample.replica;

import io.leasehold.sample.process.SharedNames;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jms.JmsException;
import org.springframework.jms.core.JmsTemplate;

/** Asks the publisher over the broker. A request may get lost on the way: whoever waits asks again. */
final class ReplayRequests implements LongConsumer {
    private static final Logger LOG = LoggerFactory.getLogger(ReplayRequests.class);

    private final JmsTemplate jms;
    private volatile boolean failing;

    ReplayRequests(JmsTemplate jms) {
        this.jms = jms;
    }

    @Override
    public void accept(long from) {
        try {
            jms.convertAndSend(SharedNames.REPLAYS, "replay", message -> {
                message.setLongProperty(SharedNames.FROM, from);
                return message;
            });
            failing = false;
        } catch (JmsException e) {
            if (!failing) {
                LOG.warn("The events from {} on could not be asked for; they are asked for again", from, e);
            }
            failing = true;
        }
    }
}
