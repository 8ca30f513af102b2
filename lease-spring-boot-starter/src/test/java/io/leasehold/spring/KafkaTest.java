package io.leasehold.spring;

class KafkaTest extends ListenerContract {

    KafkaTest() {
        super(new KafkaTechnology());
    }
}
