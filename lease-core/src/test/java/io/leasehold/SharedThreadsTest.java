package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.store.LeaseStore;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several leases in one process share their threads, and leave none behind. */
@Tag("proof")
class SharedThreadsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    @BeforeEach
    void noThreadIsLeftOfEarlierTests() {
        await().atMost(PATIENCE).until(() -> threads() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("lease-"))
                .count();
    }

    private static LeaderLease contender(String name, LeaseStore store, Duration ttl) {
        return new LeaderLease(LeaseSettings.builder(name).ttl(ttl).build(), store, null);
    }

    @Test
    void fiftyIdleLeasesShareAFewThreads() {
        List<LeaderLease> leases = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            leases.add(contender("lease " + i, new MemoryLeaseStore(), PATIENCE));
        }
        leases.forEach(LeaderLease::start);
        await().atMost(PATIENCE).until(() -> leases.stream().allMatch(LeaderLease::isHeld));
        await().atMost(PATIENCE).until(() -> threads() <= 5);
        assertThat(leases).allMatch(LeaderLease::isHeld);
        leases.forEach(LeaderLease::close);
        await().atMost(PATIENCE).until(() -> threads() == 0);
    }

    @Test
    void aLeaseWhoseStoreHangsDisturbsNoOther() {
        Duration ttl = Duration.ofSeconds(3);
        HookedLeaseStore hanging = new HookedLeaseStore(new MemoryLeaseStore());
        List<LeaderLease> others = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            others.add(contender("lease " + i, new MemoryLeaseStore(), ttl));
        }
        try (LeaderLease hung = contender("hung", hanging, ttl);
                Gate gate = new Gate()) {
            hung.start();
            others.forEach(LeaderLease::start);
            await().until(() -> hung.isHeld() && others.stream().allMatch(LeaderLease::isHeld));
            hanging.beforeRead = gate::pass;
            gate.awaitReached();
            await().until(() -> !hung.isHeld());
            assertThat(gate.isOpen()).isFalse();
            assertThat(others)
                    .allSatisfy(lease -> assertThat(lease.requireEpoch()).isEqualTo(1));
            others.forEach(LeaderLease::close);
            assertThat(others)
                    .allSatisfy(lease -> assertThat(lease.status().phase()).isEqualTo(LeasePhase.CLOSED));
        }
    }

    @Test
    void openingLeadingAndClosingAgainAndAgainLeaksNeitherThreadsNorFileHandles() throws IOException {
        Path handles = Path.of("/proc/self/fd");
        cycle(10);
        await().atMost(PATIENCE).until(() -> threads() == 0);
        long before = count(handles);
        cycle(1000);
        await().atMost(PATIENCE).until(() -> threads() == 0);
        assumeThat(handles).isDirectory();
        await().untilAsserted(() -> assertThat(count(handles)).isLessThanOrEqualTo(before + 5));
    }

    @Test
    void aThousandStartsAndClosesOfALeaseInMemoryLeaveNoWatchAndNoThread() {
        CountingStore store = new CountingStore();
        LeaderLease lease = contender("orders", store, PATIENCE);
        for (int i = 1; i <= 1000; i++) {
            lease.start();
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(lease::isHeld);
            assertThat(lease.requireEpoch()).isEqualTo(i);
            lease.close();
        }
        assertThat(store.watches).hasValue(0);
        await().atMost(PATIENCE).until(() -> threads() == 0);
    }

    @Test
    void aThousandTermsOfTwoContendersLeaveNoThread() {
        CountingStore store = new CountingStore();
        try (LeaderLease first = contender("orders", store, PATIENCE);
                LeaderLease second = contender("orders", store, PATIENCE)) {
            first.start();
            second.start();
            for (int i = 1; i <= 1000; i++) {
                await().atMost(PATIENCE)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> first.isHeld() || second.isHeld());
                LeaderLease leader = first.isHeld() ? first : second;
                assertThat(leader.requireEpoch()).isEqualTo(i);
                leader.stepDown();
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(1)).until(() -> !leader.isHeld());
            }
            assertThat(store.watches).hasValue(2);
            assertThat(threads()).isLessThan(10);
        }
        assertThat(store.watches).hasValue(0);
        await().atMost(PATIENCE).until(() -> threads() == 0);
    }

    /** Counts the watches that are open. */
    private static final class CountingStore extends HookedLeaseStore {
        private final AtomicInteger watches = new AtomicInteger();

        CountingStore() {
            super(new MemoryLeaseStore());
        }

        @Override
        public Closeable watch(Runnable onChange) {
            Closeable watch = super.watch(onChange);
            watches.incrementAndGet();
            return () -> {
                watches.decrementAndGet();
                watch.close();
            };
        }
    }

    private void cycle(int times) {
        for (int i = 0; i < times; i++) {
            LeaseStore store = FileLeaseStore.open(directory, "orders", FileStoreOptions.DEFAULTS);
            FileStateStore states =
                    FileStateStore.open(directory.resolve("state"), "orders", FileStoreOptions.DEFAULTS);
            LeaseSettings settings =
                    LeaseSettings.builder("orders").ttl(PATIENCE).build();
            try (LeaderLease lease = new LeaderLease(settings, store, states)) {
                lease.start();
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(lease::isHeld);
                lease.state().commit("cycle", String.valueOf(i));
            }
        }
    }

    private static long count(Path handles) throws IOException {
        if (!Files.isDirectory(handles)) {
            return 0;
        }
        try (Stream<Path> open = Files.list(handles)) {
            return open.count();
        }
    }
}
