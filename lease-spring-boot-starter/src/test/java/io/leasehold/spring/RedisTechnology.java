package io.leasehold.spring;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/** Channels of Redis. */
final class RedisTechnology implements ListenerTechnology {
    private final boolean ready;
    private final RedisServer server = new RedisServer();

    /** With a container that is made for a guard, or with a plain one that another bean adds a listener to. */
    RedisTechnology(boolean ready) {
        this.ready = ready;
    }

    @Override
    public void startBroker() throws Exception {
        server.start();
    }

    @Override
    public void stopBroker() throws Exception {
        server.close();
    }

    @Override
    public boolean keepsMessages() {
        return false;
    }

    @Override
    public String[] properties() {
        return server.properties();
    }

    @Override
    public void addListener(GenericApplicationContext context, Consumer<String> handler) {
        MessageListener listener =
                (message, pattern) -> handler.accept(new String(message.getBody(), StandardCharsets.UTF_8));
        if (ready) {
            context.registerBean("orders", RedisMessageListenerContainer.class, () -> {
                RedisMessageListenerContainer container = new GuardedRedisMessageListenerContainer();
                container.setConnectionFactory(context.getBean(RedisConnectionFactory.class));
                container.addMessageListener(listener, topic(context));
                return container;
            });
        } else {
            context.registerBean("orders", RedisMessageListenerContainer.class, () -> {
                RedisMessageListenerContainer container = new RedisMessageListenerContainer();
                container.setConnectionFactory(context.getBean(RedisConnectionFactory.class));
                return container;
            });
            context.registerBean(
                    SmartInitializingSingleton.class,
                    () -> () -> context.getBean("orders", RedisMessageListenerContainer.class)
                            .addMessageListener(listener, topic(context)));
        }
    }

    @Override
    public SmartLifecycle container(ApplicationContext context) {
        return context.getBean("orders", SmartLifecycle.class);
    }

    @Override
    public void publish(String destination, String text) {
        server.command("PUBLISH", destination, text);
    }

    private static ChannelTopic topic(ApplicationContext context) {
        return ChannelTopic.of(context.getEnvironment().getRequiredProperty("destination"));
    }
}
