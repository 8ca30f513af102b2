package io.leasehold.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BoundedCallTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final int CALLERS = 50;
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

    /** More calls at once than threads can be left of others, so that some are begun for these. */
    @Test
    void whatACallerHasInItsThreadIsNotHandedOn() throws Exception {
        InheritableThreadLocal<String> tenant = new InheritableThreadLocal<>();
        tenant.set("a");
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Set<String> seen = ConcurrentHashMap.newKeySet();
        CountDownLatch begun = new CountDownLatch(CALLERS);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            callers.add(new Thread(() -> seen.add(look(tenant, loader, begun))));
        }
        callers.forEach(Thread::start);
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(seen).containsExactly("null with the class loader");
    }

    private static String look(ThreadLocal<String> tenant, ClassLoader loader, CountDownLatch begun) {
        try {
            return BoundedCall.run(
                    () -> {
                        begun.countDown();
                        begun.await();
                        boolean same = Thread.currentThread().getContextClassLoader() == loader;
                        return tenant.get() + (same ? " with the class loader" : " with another class loader");
                    },
                    LONG,
                    call -> {});
        } catch (Exception e) {
            return e.toString();
        }
    }
}
