package io.leasehold.sample.replica;

import io.leasehold.sample.history.History;
import io.leasehold.sample.process.SampleSettings;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import org.springframework.jms.core.JmsTemplate;

/** The subscriber of a replica, with work that only takes time. */
@Configuration(proxyBeanMethods = false)
@Profile("replica")
class ReplicaConfiguration {

    @Bean
    EventSubscriber eventSubscriber(JmsTemplate jms, History history, SampleSettings settings) {
        EventWork work = number -> Thread.sleep(settings.work().toMillis());
        ReplayRequests requests = new ReplayRequests(jms);
        return new EventSubscriber(
                state -> new SubscriberTerm(state, work, requests, history, System::nanoTime, settings.replayRetry()));
    }
}
