package io.leasehold.spring;

class RedisTest extends ListenerContract {

    RedisTest() {
        super(new RedisTechnology(true));
    }
}
