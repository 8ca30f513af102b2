package io.leasehold.sample.publisher;

import io.leasehold.sample.history.History;
import io.leasehold.sample.process.SharedNames;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.jms.core.JmsTemplate;

/** The publisher and the topic that it sends to. */
@Configuration(proxyBeanMethods = false)
@Profile("publisher")
class PublisherConfiguration {

    @Bean
    EventPublisher eventPublisher(JmsTemplate jms, History history) {
        return new EventPublisher(
                number -> jms.convertAndSend(SharedNames.EVENTS, "event " + number, message -> {
                    message.setLongProperty(SharedNames.NUMBER, number);
                    return message;
                }),
                history);
    }
}
