package io.leasehold.sample.broker;

import io.leasehold.sample.process.SampleSettings;
import org.springframework.boot.artemis.autoconfigure.ArtemisConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** Lets other processes of this machine, and nobody else, use the embedded broker. */
@Configuration(proxyBeanMethods = false)
@Profile("broker")
class BrokerConfiguration {

    @Bean
    ArtemisConfigurationCustomizer acceptLocalConnections(SampleSettings settings) {
        return configuration -> {
            try {
                configuration.addAcceptorConfiguration("loopback", "tcp://127.0.0.1:" + settings.brokerPort());
            } catch (Exception e) {
                throw new IllegalStateException("The broker cannot listen on port " + settings.brokerPort(), e);
            }
        };
    }
}
