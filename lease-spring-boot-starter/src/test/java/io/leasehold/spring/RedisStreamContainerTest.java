package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.stream.StreamListener;
import org.springframework.data.redis.stream.StreamMessageListenerContainer;
import org.springframework.data.redis.stream.Subscription;

/** With a subscription whose thread ends when the test says so. */
@Tag("broker")
class RedisStreamContainerTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final LeaderLease other = new LeaderLease(LeaderLifecycleTest.SETTINGS, store, null);
    private final Reading reading = new Reading();

    @BeforeEach
    void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
    }

    @AfterEach
    void closeOther() {
        other.close();
        Awaitility.reset();
    }

    @Test
    void aSubscriptionThatIsStillReadingIsWaitedForAndCancelledAgain() {
        Streams streams = new Streams(reading);
        try (Replica replica = Replica.start(store, context -> {
            context.registerBean(RedisGuards.class);
            context.registerBean("orders", StreamMessageListenerContainer.class, () -> {
                GuardedStreamMessageListenerContainer<String, MapRecord<String, String, String>> guarded =
                        GuardedStreamMessageListenerContainer.of(streams);
                guarded.receive(StreamOffset.fromStart("orders"), entry -> {});
                return guarded;
            });
        })) {
            await().until(streams::isRunning);
            reading.active = true;
            other.start();

            replica.lease().stepDown();
            await().until(() -> !streams.isRunning());
            assertThat(replica.listeners().status().inFlight()).isEqualTo(1);
            await().during(Duration.ofMillis(300)).until(() -> replica.lease().isHeld() && !other.isHeld());
            assertThat(reading.cancelled).hasPositiveValue();

            reading.active = false;
            await().until(other::isHeld);
            assertThat(replica.listeners().status().inFlight()).isZero();
        }
    }

    private static final class Reading implements Subscription {
        private final AtomicInteger cancelled = new AtomicInteger();
        private volatile boolean active;

        @Override
        public boolean isActive() {
            return active;
        }

        @Override
        public boolean await(Duration timeout) {
            return active;
        }

        @Override
        public void cancel() {
            cancelled.incrementAndGet();
        }
    }

    private static final class Streams
            implements StreamMessageListenerContainer<String, MapRecord<String, String, String>> {
        private final Subscription subscription;
        private volatile boolean running;

        Streams(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public Subscription register(
                StreamReadRequest<String> request, StreamListener<String, MapRecord<String, String, String>> listener) {
            return subscription;
        }

        @Override
        public void remove(Subscription removed) {
            assertThat(removed).isEqualTo(subscription);
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}
