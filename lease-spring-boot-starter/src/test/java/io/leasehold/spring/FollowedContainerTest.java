package io.leasehold.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class FollowedContainerTest {
    private final FakeContainer fake = new FakeContainer("fake");
    private final Executor sameThread = Runnable::run;
    private final FollowedContainer container = new FollowedContainer(new LifecycleBean("fake", fake), sameThread);

    @Test
    void aStartNeverPrecedesTheEndOfTheStopBeforeIt() {
        CompletableFuture<Runnable> stopped = new CompletableFuture<>();
        fake.onStop(stopped::complete);
        container.start(() -> true).join();
        container.stop();

        CompletableFuture<Void> again = container.start(() -> true);
        assertThat(fake.calls()).containsExactly("start", "stop");
        assertThat(again).isNotDone();

        stopped.join().run();
        assertThat(fake.calls()).containsExactly("start", "stop", "stopped", "start");
        assertThat(again).isCompleted();
    }

    @Test
    void aStartThatIsNoLongerWantedIsLeftOut() {
        container.start(() -> false).join();
        assertThat(fake.calls()).isEmpty();
    }

    @Test
    void whatRunsAlreadyIsNotStartedAgain() {
        fake.start();
        container.start(() -> true).join();
        assertThat(fake.calls()).containsExactly("start");
    }

    @Test
    void whatHasStoppedAlreadyIsNotAskedForACallback() {
        container.stop();
        assertThat(fake.calls()).isEmpty();
        assertThat(container.isQuiet()).isTrue();
    }

    @Test
    void aStopThatIsUnderWayIsNotRepeated() {
        fake.onStop(callback -> {});
        container.start(() -> true).join();
        container.stop();
        container.stop();
        assertThat(fake.calls()).containsExactly("start", "stop");
    }

    @Test
    void whatSomebodyElseStartedDuringAStopIsStoppedAgain() {
        fake.onStop(callback -> {});
        container.start(() -> true).join();
        container.stop();
        fake.start();
        fake.onStop(Runnable::run);

        container.stop();
        assertThat(fake.calls()).containsExactly("start", "stop", "start", "stop", "stopped");
        assertThat(container.isQuiet()).isTrue();
    }

    @Test
    void stoppedIsNotQuietBeforeTheCallback() {
        CompletableFuture<Runnable> stopped = new CompletableFuture<>();
        fake.onStop(stopped::complete);
        container.start(() -> true).join();
        container.stop();
        assertThat(container.isRunning()).isFalse();
        assertThat(container.isQuiet()).isFalse();

        stopped.join().run();
        assertThat(container.isQuiet()).isTrue();
    }

    @Test
    void aFailedStartDoesNotKeepTheNextStopFromBeingMade() {
        fake.onStart(() -> {
            throw new IllegalStateException("no such topic");
        });
        assertThat(container.start(() -> true)).isCompletedExceptionally();
        container.stop();
        assertThat(fake.calls()).containsExactly("start", "stop", "stopped");
        assertThat(container.isQuiet()).isTrue();
    }

    @Test
    void aStopThatThrowsIsTriedAgain() {
        fake.onStop(callback -> {
            throw new IllegalStateException("connection is closed");
        });
        container.start(() -> true).join();
        container.stop();
        fake.start();
        fake.onStop(Runnable::run);
        container.stop();
        assertThat(fake.calls()).endsWith("stop", "stopped");
    }
}
