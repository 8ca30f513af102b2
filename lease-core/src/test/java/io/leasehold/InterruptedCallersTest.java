package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.state.StateStoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An interrupt of a thread that calls the lease, or works for it, stays with that thread and harms no term. */
@Timeout(120)
class InterruptedCallersTest {
    private static final Duration TTL = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final CallRecorder recorder = new CallRecorder();
    private LeaderLease lease;

    @BeforeEach
    void begin() {
        lease = new LeaderLease(
                LeaseSettings.builder("orders")
                        .ttl(TTL)
                        .renewInterval(Duration.ofMillis(200))
                        .build(),
                FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS),
                FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS));
        lease.addListener(recorder);
    }

    @AfterEach
    void end() {
        boolean unused = Thread.interrupted();
        lease.close();
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
    }

    private void lead() {
        lease.start();
        await().until(lease::isHeld);
    }

    private static void interrupted(Runnable call) {
        Thread.currentThread().interrupt();
        call.run();
        assertThat(Thread.interrupted()).as("the flag is kept").isTrue();
    }

    @Test
    void anInterruptedThreadStartsLooksAndStepsDown() {
        interrupted(lease::start);
        await().until(lease::isHeld);
        interrupted(() -> assertThat(lease.isHeld()).isTrue());
        interrupted(() -> assertThat(lease.status().phase()).isEqualTo(LeasePhase.HOLDING));
        interrupted(lease::stepDown);
        await().until(() -> lease.status().phase() == LeasePhase.STANDBY);
        assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 STEPPED_DOWN");
    }

    @Test
    void anInterruptedCommitIsUnknownAndTheNextOneSettlesItInTheSameTerm() {
        lead();
        interrupted(() -> assertThatThrownBy(() -> lease.state().commit("orders", "1"))
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("the outcome is unknown"));
        lease.state().commit("invoices", "2");
        assertThat(lease.state().get("invoices")).contains("2");
        assertThat(lease.requireEpoch()).isEqualTo(1);
        interrupted(lease::close);
        await().until(() -> lease.status().phase() == LeasePhase.CLOSED);
        lead();
        assertThat(lease.requireEpoch()).isEqualTo(2);
        assertThat(lease.state().get("invoices")).contains("2");
    }

    @Test
    void aListenerThatInterruptsItsOwnThreadHarmsNobodyElsesWork() {
        recorder.onAcquired = () -> Thread.currentThread().interrupt();
        recorder.onSurrendered = () -> Thread.currentThread().interrupt();
        for (int term = 1; term <= 5; term++) {
            lead();
            lease.state().commit("orders", String.valueOf(term));
            lease.close();
            assertThat(lease.status().phase()).isEqualTo(LeasePhase.CLOSED);
        }
        assertThat(recorder.calls).hasSize(10);
    }

    @Test
    void interruptsOfTheThreadsThatRenewEndNoTerm() {
        lead();
        await().pollInterval(Duration.ofMillis(5))
                .during(Duration.ofSeconds(2))
                .atMost(1, TimeUnit.MINUTES)
                .until(() -> {
                    Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("lease-"))
                            .forEach(Thread::interrupt);
                    return lease.isHeld();
                });
        Instant before = Objects.requireNonNull(lease.status().lastConfirmed());
        await().atMost(1, TimeUnit.MINUTES)
                .until(() -> !before.equals(lease.status().lastConfirmed()));
        lease.state().commit("orders", "17");
        assertThat(lease.requireEpoch()).isEqualTo(1);
        assertThat(recorder.calls).containsExactly("acquired 1");
    }
}
