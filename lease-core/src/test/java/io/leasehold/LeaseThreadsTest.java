package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LeaseThreadsTest {

    @Test
    void aTaskForWhichNoThreadIsLeftIsTriedAgain() {
        AtomicInteger refusals = new AtomicInteger(2);
        LeaseThreads threads = new LeaseThreads(Thread::new, task -> {
            if (refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new Thread(task);
        });
        CountDownLatch done = new CountDownLatch(1);
        threads.execute(done::countDown);
        await().until(() -> done.getCount() == 0);
        assertThat(refusals).hasValue(-1);
    }

    @Test
    void aTaskThatBlocksHoldsUpNoOther() {
        try (Gate gate = new Gate()) {
            LeaseThreads.SHARED.execute(gate::pass);
            gate.awaitReached();
            CountDownLatch done = new CountDownLatch(1);
            LeaseThreads.SHARED.execute(done::countDown);
            await().until(() -> done.getCount() == 0);
            assertThat(gate.isOpen()).isFalse();
        }
    }

    @Test
    void aTaskThatThrowsHoldsUpNoOther() {
        LeaseThreads threads = new LeaseThreads(Thread::new, task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((dead, failure) -> {});
            return thread;
        });
        threads.execute(() -> {
            throw new IllegalStateException("a task throws");
        });
        CountDownLatch done = new CountDownLatch(1);
        threads.execute(done::countDown);
        await().until(() -> done.getCount() == 0);
    }
}
