package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.file.FileLeaseStore;
import io.leasehold.file.FileStateStore;
import io.leasehold.file.FileStoreOptions;
import io.leasehold.memory.MemoryLeaseStore;
import io.leasehold.memory.MemoryStateStore;
import io.leasehold.state.LeaderState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeaderLeaseTest {
    @TempDir
    Path directory;

    private static final Duration LONG = Duration.ofSeconds(30);

    private final CallRecorder recorder = new CallRecorder();
    private final List<LeaderLease> onFiles = new ArrayList<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();

    /** A close does not wait for a standby's slow look or claim; the directory is deleted only when nobody uses it. */
    @AfterEach
    void awaitTheLastStep() {
        await().until(() -> onFiles.stream().allMatch(lease -> lease.status().phase() == LeasePhase.CLOSED));
    }

    private LeaderLease contender(String prefix) {
        LeaderLease lease = new LeaderLease(
                LeaseSettings.builder("orders")
                        .holderPrefix(prefix)
                        .ttl(Duration.ofSeconds(6))
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
        onFiles.add(lease);
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

    private LeaderLease inMemory(String prefix, MemoryLeaseStore store, Duration ttl) {
        LeaderLease lease = new LeaderLease(
                LeaseSettings.builder("orders").holderPrefix(prefix).ttl(ttl).build(), store, new MemoryStateStore());
        lease.addListener(recorder);
        return lease;
    }

    @Test
    void nothingIsHeldBeforeTheStart() {
        LeaderLease lease = contender("a");
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.current()).isEmpty();
        assertThat(lease.status().phase()).isEqualTo(LeasePhase.CLOSED);
        assertThat(lease.status().holder()).startsWith("a-");
        lease.stepDown();
        assertThatThrownBy(lease::requireEpoch)
                .isInstanceOf(NotHolderException.class)
                .hasMessage("Lease orders is not held by this process");
    }

    @Test
    void aStandbysStateRefusesEverything() {
        try (LeaderLease lease = contender("a")) {
            LeaderState state = lease.state();
            assertThatThrownBy(() -> state.commit("orders", "1")).isInstanceOf(NotHolderException.class);
            assertThatThrownBy(() -> state.get("orders")).isInstanceOf(NotHolderException.class);
            assertThatThrownBy(state::entries).isInstanceOf(NotHolderException.class);
            assertThatThrownBy(state::epoch).isInstanceOf(NotHolderException.class);
        }
    }

    @Test
    void aLeaseWithoutAStateStoreHasNoState() {
        LeaderLease lease = new LeaderLease(LeaseSettings.builder("orders").build(), new MemoryLeaseStore(), null);
        assertThatThrownBy(lease::state)
                .isInstanceOf(IllegalStateException.class)
                .isNotInstanceOf(NotHolderException.class);
    }

    @Test
    void theLeasesStateFollowsTheTermAndATermsStateDoesNot() {
        try (LeaderLease lease = inMemory("a", new MemoryLeaseStore(), LONG)) {
            lease.start();
            await().until(lease::isHeld);
            LeaderState ofTheLease = lease.state();
            LeaderState ofTheTerm = lease.current().orElseThrow().state();
            ofTheLease.commit("orders", "1");
            lease.close();
            lease.start();
            await().until(lease::isHeld);
            assertThat(ofTheLease.epoch()).isEqualTo(2);
            assertThat(ofTheLease.get("orders")).contains("1");
            ofTheLease.commit("orders", "2");
            assertThatThrownBy(() -> ofTheTerm.commit("orders", "3")).isInstanceOf(NotHolderException.class);
            assertThat(ofTheLease.get("orders")).contains("2");
        }
    }

    @Test
    void startingTwiceIsOneStart() {
        try (LeaderLease lease = inMemory("a", new MemoryLeaseStore(), LONG)) {
            lease.start();
            String holder = lease.status().holder();
            lease.start();
            await().until(() -> !recorder.calls.isEmpty());
            assertThat(lease.status().holder()).isEqualTo(holder);
            assertThat(recorder.calls).containsExactly("acquired 1");
            assertThatThrownBy(() -> lease.addListener(recorder)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aListenerThatStepsDownIsToldAndAnotherLeads() {
        MemoryLeaseStore store = new MemoryLeaseStore();
        try (LeaderLease a = inMemory("a", store, LONG);
                LeaderLease b = new LeaderLease(LeaseSettings.builder("orders").build(), store, null)) {
            recorder.onAcquired = a::stepDown;
            recorder.onSurrendered = a::stepDown;
            a.start();
            await().until(() -> recorder.calls.contains("surrendered 1 STEPPED_DOWN"));
            b.start();
            await().until(b::isHeld);
            assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 STEPPED_DOWN");
            assertThat(b.requireEpoch()).isEqualTo(2);
        }
    }

    @Test
    void manyThreadsStepDownOnce() throws InterruptedException {
        try (LeaderLease lease = inMemory("a", new MemoryLeaseStore(), LONG)) {
            lease.start();
            await().until(() -> recorder.calls.contains("acquired 1"));
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                Thread thread = new Thread(lease::stepDown);
                thread.start();
                threads.add(thread);
            }
            for (Thread thread : threads) {
                thread.join();
            }
            await().until(() -> lease.status().phase() == LeasePhase.STANDBY);
            assertThat(recorder.calls).containsExactly("acquired 1", "surrendered 1 STEPPED_DOWN");
            assertThat(lease.counts().surrendered()).containsEntry(SurrenderReason.STEPPED_DOWN, 1L);
        }
    }

    @Test
    void twoLeasesWithOneHolderPrefixAreTwoHoldersAndNeverLeadTogether() {
        try (LeaderLease a = contender("host");
                LeaderLease b = contender("host")) {
            a.start();
            b.start();
            assertThat(a.status().holder()).startsWith("host-");
            assertThat(b.status().holder())
                    .startsWith("host-")
                    .isNotEqualTo(a.status().holder());
            List<Lease> terms = new ArrayList<>();
            for (int flips = 0; flips < 6; flips++) {
                await().pollInterval(Duration.ofMillis(5)).until(() -> {
                    Optional<Lease> ofA = a.current();
                    Optional<Lease> ofB = b.current();
                    boolean together =
                            ofA.isPresent() && ofB.isPresent() && ofA.get().isHeld();
                    assertThat(together).isFalse();
                    return ofA.isPresent() || ofB.isPresent();
                });
                LeaderLease leader = a.isHeld() ? a : b;
                terms.add(leader.current().orElseThrow());
                leader.stepDown();
                Lease last = terms.get(terms.size() - 1);
                await().pollInterval(Duration.ofMillis(5)).until(() -> !last.isHeld());
            }
            assertThat(terms).extracting(Lease::epoch).doesNotHaveDuplicates().isSorted();
        }
    }
}
