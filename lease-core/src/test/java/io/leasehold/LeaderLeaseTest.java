package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderLeaseTest {
    @TempDir
    Path directory;

    private final List<String> calls = new CopyOnWriteArrayList<>();

    private LeaderLease contender(String prefix) {
        LeaderLease lease = new LeaderLease(
                LeaseSettings.builder("orders")
                        .holderPrefix(prefix)
                        .ttl(Duration.ofMillis(1200))
                        .build(),
                FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS),
                FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS));
        lease.addListener(new LeaseListener() {
            @Override
            public void onAcquired(Lease term) {
                calls.add(prefix + " acquired " + term.epoch());
            }

            @Override
            public void onSurrendered(Lease term, SurrenderReason reason) {
                calls.add(prefix + " surrendered " + term.epoch() + " " + reason);
            }
        });
        return lease;
    }

    @Test
    void aGracefulHandOverIsImmediateAndKeepsTheState() {
        try (LeaderLease a = contender("a");
                LeaderLease b = contender("b")) {
            a.start();
            await().until(() -> calls.contains("a acquired 1"));
            a.state().commit("orders", "17");
            b.start();
            a.close();
            await().until(() -> calls.contains("b acquired 2"));
            assertThat(b.state().get("orders")).contains("17");
            b.state().commit("orders", "18");
            assertThat(b.requireEpoch()).isEqualTo(2);
            assertThat(calls).containsExactly("a acquired 1", "a surrendered 1 CLOSED", "b acquired 2");
        }
        assertThat(calls).endsWith("b surrendered 2 CLOSED");
    }

    @Test
    void aProcessThatSteppedDownLetsAnotherLead() {
        try (LeaderLease a = contender("a");
                LeaderLease b = contender("b")) {
            a.start();
            await().until(a::isHeld);
            b.start();
            a.stepDown();
            await().until(b::isHeld);
            b.stepDown();
            await().until(a::isHeld);
            assertThat(a.requireEpoch()).isEqualTo(3);
        }
    }
}
