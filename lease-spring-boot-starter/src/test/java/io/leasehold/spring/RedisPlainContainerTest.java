package io.leasehold.spring;

class RedisPlainContainerTest extends ListenerContract {

    RedisPlainContainerTest() {
        super(new RedisTechnology(false));
    }
}
