package io.leasehold.spring;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;
import org.springframework.data.redis.stream.StreamMessageListenerContainer.StreamMessageListenerContainerOptions;
import org.springframework.data.redis.stream.StreamMessageListenerContainer.StreamReadRequest;

/** Streams of Redis, read without a group: each replica reads what is added while it does. */
final class RedisStreamTechnology implements ListenerTechnology {
    private static final Duration POLL_TIMEOUT = Duration.ofMillis(200);

    private final RedisServer server = new RedisServer();

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
        context.registerBean("orders", StreamMessageListenerContainer.class, () -> {
            GuardedStreamMessageListenerContainer<String, MapRecord<String, String, String>> container =
                    GuardedStreamMessageListenerContainer.of(StreamMessageListenerContainer.create(
                            context.getBean(RedisConnectionFactory.class), options()));
            String stream = context.getEnvironment().getRequiredProperty("destination");
            container.register(
                    StreamReadRequest.builder(StreamOffset.create(stream, ReadOffset.latest()))
                            .cancelOnError(error -> false)
                            .errorHandler(RedisStreamTechnology::backOff)
                            .build(),
                    entry -> handler.accept(entry.getValue().get("text")));
            return container;
        });
    }

    @Override
    public SmartLifecycle container(ApplicationContext context) {
        return context.getBean("orders", SmartLifecycle.class);
    }

    @Override
    public void publish(String destination, String text) {
        server.command("XADD", destination, "*", "text", text);
    }

    static StreamMessageListenerContainerOptions<String, MapRecord<String, String, String>> options() {
        return StreamMessageListenerContainerOptions.builder()
                .pollTimeout(POLL_TIMEOUT)
                .build();
    }

    private static void backOff(Throwable error) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
}
