package io.leasehold.sample.process;

import io.leasehold.sample.history.History;
import io.leasehold.sample.history.HistoryEvent;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The history of the process. */
@Configuration(proxyBeanMethods = false)
class ProcessConfiguration {

    @Bean
    History history(SampleSettings settings) {
        return settings.history() == null ? History.none() : History.at(settings.history());
    }

    @Bean
    ApplicationListener<ApplicationReadyEvent> noteTheStart(History history) {
        return event -> history.note(HistoryEvent.STARTED, 0);
    }
}
