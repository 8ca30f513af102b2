package io.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BoundedCallTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicReference<@Nullable Thread> calling = new AtomicReference<>();
    private final CountDownLatch givenUp = new CountDownLatch(1);

    private String hang() throws InterruptedException {
        calling.set(Thread.currentThread());
        never.await();
        return "late";
    }

    @Test
    void anAnswerIsReturnedAndAFailureIsTheCause() throws Exception {
        assertThat(BoundedCall.run(() -> "answer", LONG, call -> givenUp.countDown()))
                .isEqualTo("answer");
        assertThatThrownBy(() -> BoundedCall.run(
                        () -> {
                            throw new IOException("refused");
                        },
                        LONG,
                        call -> givenUp.countDown()))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IOException.class);
        assertThat(givenUp.getCount()).isOne();
    }

    @Test
    void aCallThatTakesTooLongIsGivenUpAndEnded() {
        assertThatThrownBy(() -> BoundedCall.run(this::hang, SHORT, call -> {
                    call.cancel(true);
                    givenUp.countDown();
                }))
                .isInstanceOf(TimeoutException.class);
        await().until(() -> givenUp.getCount() == 0);
    }

    @Test
    void aCallerThatIsInterruptedWaitsNoMoreAndItsInterruptDoesNotReachTheCall() throws Exception {
        AtomicReference<@Nullable Throwable> told = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                String unused = BoundedCall.run(this::hang, LONG, call -> givenUp.countDown());
            } catch (Exception e) {
                told.set(e);
            }
        });
        caller.start();
        await().until(() -> calling.get() != null);
        caller.interrupt();
        caller.join();
        assertThat(told.get()).isInstanceOf(InterruptedException.class);
        await().until(() -> givenUp.getCount() == 0);
        assertThat(calling.get()).matches(thread -> thread.isAlive() && !thread.isInterrupted());
        never.countDown();
    }

    @Test
    void nothingIsBegunForACallerThatIsInterruptedAlready() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> BoundedCall.run(this::hang, LONG, call -> givenUp.countDown()))
                .isInstanceOf(InterruptedException.class);
        assertThat(calling.get()).isNull();
        assertThat(givenUp.getCount()).isOne();
    }

    @Test
    void whatACallerHasInItsThreadIsNotHandedOn() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("a");
        String seen = BoundedCall.run(() -> String.valueOf(tenant.get()), LONG, call -> {});
        assertThat(seen).isEqualTo("null");
        ClassLoader loader = BoundedCall.run(() -> Thread.currentThread().getContextClassLoader(), LONG, call -> {});
        assertThat(loader).isSameAs(Thread.currentThread().getContextClassLoader());
    }
}
