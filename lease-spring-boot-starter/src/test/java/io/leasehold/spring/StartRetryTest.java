package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.LeaderLease;
import io.leasehold.SurrenderReason;
import io.leasehold.memory.MemoryLeaseStore;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class StartRetryTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final FakeContainer sound = new FakeContainer("sound");
    private final FakeContainer broken = new FakeContainer("broken");
    private final AtomicInteger failuresLeft = new AtomicInteger(Integer.MAX_VALUE);

    @BeforeEach
    void breakStarts() {
        Awaitility.setDefaultTimeout(Duration.ofSeconds(30));
        broken.onStart(() -> {
            if (failuresLeft.getAndDecrement() > 0) {
                throw new IllegalStateException("no such topic");
            }
        });
    }

    @AfterEach
    void resetTimeout() {
        Awaitility.reset();
    }

    @Test
    void aStartThatFailsIsStoppedAndTriedAgainWhileTheOthersRun(CapturedOutput output) {
        failuresLeft.set(2);
        try (Replica replica = Replica.start(store, sound, broken)) {
            await().until(() -> replica.listeners().status().stage() == ListenersStage.STARTED);

            assertThat(broken.calls()).containsExactly("start", "stop", "stopped", "start", "stop", "stopped", "start");
            assertThat(sound.calls()).containsExactly("start");
            assertThat(replica.lease().requireEpoch()).isEqualTo(1);
            assertThat(replica.listeners().startFailures()).isEqualTo(2);
            assertThat(replica.listeners().status().startFailure()).isNull();
            assertThat(output).containsOnlyOnce("could not be started: [broken]");
        }
    }

    @Test
    void afterTheLastAttemptNothingRunsAndAnotherReplicaCanTry() {
        LeaderLease other = new LeaderLease(LeaderLifecycleTest.SETTINGS, store, null);
        try (Replica replica = Replica.start(store, sound, broken)) {
            await().until(() -> !replica.events().published().isEmpty());
            other.start();
            await().until(other::isHeld);

            assertThat(sound.isRunning()).isFalse();
            assertThat(broken.isRunning()).isFalse();
            assertThat(Collections.frequency(broken.calls(), "start")).isEqualTo(5);
            assertThat(replica.listeners().status().startFailure())
                    .contains("[broken]", "attempt 5 of 5", "no such topic");
            assertThat(replica.events().published().get(1))
                    .isInstanceOfSatisfying(
                            LeadershipLost.class,
                            lost -> assertThat(lost.reason()).isEqualTo(SurrenderReason.LISTENER_FAILED));
        } finally {
            other.close();
        }
    }

    @Test
    void aSurrenderDoesNotWaitForTheNextAttempt() {
        try (Replica replica = Replica.start(store, broken)) {
            await().until(() -> !broken.calls().isEmpty());

            replica.lease().stepDown();
            await().until(() -> replica.events().published().size() == 2);
            assertThat(replica.events().published().get(1))
                    .isInstanceOfSatisfying(
                            LeadershipLost.class,
                            lost -> assertThat(lost.reason()).isEqualTo(SurrenderReason.STEPPED_DOWN));
            assertThat(broken.isRunning()).isFalse();
        }
    }
}
