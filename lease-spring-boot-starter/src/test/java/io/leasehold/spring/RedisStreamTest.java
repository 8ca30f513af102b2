package io.leasehold.spring;

class RedisStreamTest extends ListenerContract {

    RedisStreamTest() {
        super(new RedisStreamTechnology());
    }
}
