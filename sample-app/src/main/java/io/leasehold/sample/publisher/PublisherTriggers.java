package io.leasehold.sample.publisher;

import io.leasehold.sample.process.ConsoleLine;
import io.leasehold.sample.process.SharedNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Profile;
import org.springframework.context.event.EventListener;
import org.springframework.jms.JmsException;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** What makes the publisher publish: the time, and replicas that miss events. */
@Component
@Profile("publisher")
class PublisherTriggers {
    private static final Logger LOG = LoggerFactory.getLogger(PublisherTriggers.class);

    private final EventPublisher publisher;
    private boolean failing;

    PublisherTriggers(EventPublisher publisher) {
        this.publisher = publisher;
    }

    @Scheduled(fixedRateString = "${sample.publish-every:100ms}")
    void publish() {
        try {
            publisher.publishNext();
            failing = false;
        } catch (JmsException e) {
            if (!failing) {
                LOG.warn("An event could not be published; it is tried again until it can", e);
            }
            failing = true;
        }
    }

    @JmsListener(destination = SharedNames.REPLAYS)
    void replay(@Header(SharedNames.FROM) long from) {
        publisher.replay(from);
    }

    @EventListener
    void obey(ConsoleLine line) {
        if (line.text().equals(ConsoleLine.STOP_PUBLISHING)) {
            publisher.stop();
        }
    }
}
