package io.leasehold;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * One term and three threads, model-checked: whatever the interleaving, what the threads see is what they could see one after
 * another, of a term whose deadline and end are one state. Time passes by an operation of its own.
 */
@Tag("proof")
@Param(name = "seconds", gen = IntGen.class, conf = "1:9")
public class LeaseLincheckTest {
    private final TestedClock clock = new TestedClock();
    private final AtomicInteger told = new AtomicInteger();
    private final Lease lease = new Lease(
            LeaseSettings.builder("orders")
                    .holderPrefix("host-1")
                    .ttl(Duration.ofSeconds(10))
                    .build(),
            "host-1",
            7,
            clock.now(),
            clock,
            (term, reason) -> told.incrementAndGet(),
            null);

    private static final class TestedClock implements LeaseClock {
        private final AtomicLong seconds = new AtomicLong();

        @Override
        public long nanoTime() {
            return TimeUnit.SECONDS.toNanos(seconds.get());
        }

        @Override
        public long currentTimeMillis() {
            return TimeUnit.SECONDS.toMillis(seconds.get());
        }
    }

    @Operation
    public void pass(@Param(name = "seconds") int seconds) {
        clock.seconds.addAndGet(seconds);
    }

    @Operation
    public boolean isHeld() {
        return lease.isHeld();
    }

    @Operation
    public boolean isSurrendering() {
        return lease.isSurrendering();
    }

    /** Only one thread renews. */
    @Operation(nonParallelGroup = "renewing")
    public boolean confirm() {
        return lease.confirm(clock.now());
    }

    @Operation
    public boolean drain() {
        return lease.drain(SurrenderReason.STEPPED_DOWN);
    }

    @Operation
    public boolean end() {
        return lease.end(SurrenderReason.FENCED);
    }

    @Operation
    public void enforce() {
        long unused = lease.enforce();
    }

    @Operation
    public @Nullable SurrenderReason reason() {
        return lease.isSurrendering() ? lease.reason() : null;
    }

    /** Whoever ends the term tells of it, and nobody else. */
    @Validate
    public void theSurrenderIsToldOnce() {
        int expected = lease.reason() == null ? 0 : 1;
        if (told.get() != expected) {
            throw new IllegalStateException("told " + told.get() + " times of " + lease);
        }
    }

    @Test
    void aTermSeenByManyThreadsIsOneThatMovesOnlyForward() {
        new ModelCheckingOptions()
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(2)
                .iterations(12)
                .invocationsPerIteration(150)
                .minimizeFailedScenario(false)
                .sequentialSpecification(OneTerm.class)
                .check(LeaseLincheckTest.class);
    }

    /** The same term without threads. */
    public static final class OneTerm {
        private static final int VALID_S = 9;
        private static final int UNTIL_DRAIN_POINT_S = 6;
        private int now;
        private int confirmed;
        private boolean ended;
        private @Nullable SurrenderReason reason;

        public void pass(int seconds) {
            now += seconds;
        }

        public boolean isHeld() {
            if (!ended && now - confirmed > VALID_S) {
                leave(SurrenderReason.EXPIRED);
                ended = true;
            }
            return !ended;
        }

        public boolean isSurrendering() {
            return !isHeld() || reason != null;
        }

        public boolean confirm() {
            if (isHeld()) {
                confirmed = now;
            }
            return !ended;
        }

        public boolean drain() {
            return isHeld() && leave(SurrenderReason.STEPPED_DOWN);
        }

        public boolean end() {
            boolean ends = !ended;
            boolean unused = leave(SurrenderReason.FENCED);
            ended = true;
            return ends;
        }

        public void enforce() {
            if (isHeld() && now - confirmed > UNTIL_DRAIN_POINT_S) {
                boolean unused = leave(SurrenderReason.UNCONFIRMED);
            }
        }

        public @Nullable SurrenderReason reason() {
            return isSurrendering() ? reason : null;
        }

        private boolean leave(SurrenderReason why) {
            boolean first = reason == null;
            reason = first ? why : reason;
            return first;
        }
    }
}
