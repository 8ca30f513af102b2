package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.file.FuzzedContents;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseRecord;
import io.leasehold.store.LeaseStoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Two contenders on one directory, stepped by hand, and somebody who garbles what is in it. */
final class FuzzedElection {
    static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RENEW = Duration.ofSeconds(2);
    private static final Duration TICK = Duration.ofMillis(500);

    /** A step that is always due again at once would spin. */
    private static final int MOST_STEPS = 50;

    private final SplittableRandom random;
    private final FuzzedContents contents;
    private final FuzzedNames names;
    private final LeaseDirectory directory;
    private final Path statePath;
    private final ManualClock clock = new ManualClock();
    private final Set<Long> led = new HashSet<>();
    private @Nullable Lease current;
    private int commits;
    private @Nullable Path garbledMarker;
    private String markerBefore = "";
    Contender holder;
    Contender standby;

    FuzzedElection(Path parent, long seed) {
        this.random = new SplittableRandom(seed);
        this.contents = new FuzzedContents(random);
        try {
            Files.createDirectory(parent);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.directory = new LeaseDirectory(parent.resolve("lease"));
        this.statePath = parent.resolve("state");
        this.names = new FuzzedNames(directory.path, contents, random);
        this.holder = contender("holder");
        this.standby = contender("standby");
    }

    private Contender contender(String name) {
        LeaseSettings settings = LeaseSettings.builder("orders")
                .holderPrefix(name)
                .ttl(TTL)
                .renewInterval(RENEW)
                .drainTimeout(Duration.ZERO)
                .verifyDelay(Duration.ofMillis(200))
                .build();
        return new Contender(name, settings, directory.store(), LeaseDirectory.stateStore(statePath), clock);
    }

    /** Two terms that are over, and a third that goes on, each with a state. */
    void begin() {
        for (int i = 0; i < 3; i++) {
            Contender next = i % 2 == 0 ? holder : standby;
            step(next);
            assertThat(next.isHeld()).isTrue();
            commit(next);
            pass(RENEW);
            if (i < 2) {
                next.election.stepDown();
            }
            pass(TICK);
        }
        assertThat(holder.isHeld()).isTrue();
    }

    private void commit(Contender leader) {
        leader.lease().state().commit("orders", String.valueOf(++commits));
    }

    /** Lets a tick pass, with every step in it, and checks what must always hold. */
    void tick() {
        clock.advance(TICK);
        for (Contender contender : new Contender[] {holder, standby}) {
            contender.election.enforce();
            step(contender);
            check();
        }
    }

    void pass(Duration time) {
        for (long left = time.toNanos(); left > 0; left -= TICK.toNanos()) {
            tick();
        }
    }

    private void step(Contender contender) {
        int steps = 0;
        while (contender.election.step() == 0) {
            assertThat(++steps).as("steps that are due at once").isLessThan(MOST_STEPS);
        }
    }

    private void check() {
        assertThat(holder.isHeld() && standby.isHeld()).as("two lead").isFalse();
        for (Contender contender : new Contender[] {holder, standby}) {
            Lease lease = contender.election.lease();
            if (lease != null && lease != current) {
                assertThat(led).allSatisfy(epoch -> assertThat(epoch).isLessThan(lease.epoch()));
                led.add(lease.epoch());
                current = lease;
            }
        }
    }

    /** Garbles a file of the lease or the state, or its marker for a tick, so that it says nothing else than before. */
    void garbleContents() {
        restoreMarker();
        long epoch = holder.lease().epoch();
        if (!Files.isRegularFile(directory.file(epoch))) {
            return;
        }
        switch (random.nextInt(9)) {
            case 0 -> garbleMarker();
            case 1, 2, 3 -> garbleLease(epoch);
            case 7 -> names.replaceByNoFile(directory.file(epoch));
            case 4 -> garble(directory.file(1 + random.nextLong(epoch)));
            case 5 -> garble(statePath.resolve((1 + random.nextLong(epoch)) + ".json"));
            case 6 -> commit(holder);
            default -> {}
        }
        if (random.nextInt(4) == 0 && garbledMarker == null) {
            commit(holder);
        }
    }

    private void garbleMarker() {
        garbledMarker = directory.marker();
        markerBefore = read(garbledMarker);
        garble(garbledMarker);
    }

    private void restoreMarker() {
        if (garbledMarker != null) {
            write(garbledMarker, markerBefore);
            garbledMarker = null;
        }
    }

    /** What still is a record, and another one, was written by somebody who knows how: that is not what is tried here. */
    private void garbleLease(long epoch) {
        Path file = directory.file(epoch);
        String before = read(file);
        LeaseRecord record = record();
        garble(file);
        LeaseRecord after = record();
        if (after != null && !after.equals(record)) {
            write(file, before);
        }
    }

    private @Nullable LeaseRecord record() {
        try {
            return directory.store().read().record();
        } catch (LeaseStoreException e) {
            throw new AssertionError("contents are no reason for a read to fail", e);
        }
    }

    /** Both contenders vanish, two new ones find what they left, garbled. */
    void garbleRemains() {
        long epoch = holder.lease().epoch();
        if (random.nextInt(4) > 0) {
            garbleLease(epoch);
        }
        if (random.nextInt(3) == 0) {
            garbleSegment(epoch);
        }
        clock.advance(TTL);
        assertThat(holder.isHeld()).isFalse();
        holder = contender("third");
        standby = contender("fourth");
    }

    private void garbleSegment(long epoch) {
        Path segment = statePath.resolve(epoch + ".json");
        String before = read(segment);
        garble(segment);
        Map<String, String> newest = newest();
        if (newest.equals(Map.of("orders", String.valueOf(commits - 1)))) {
            assertThat(read(segment).replace("\0", ""))
                    .as("an older state is used")
                    .containsPattern("\"seeded\":\\s*false");
        }
        if (!newest.equals(state()) && !newest.isEmpty()) {
            write(segment, before);
        }
    }

    private Map<String, String> newest() {
        try {
            return LeaseDirectory.stateStore(statePath).snapshot();
        } catch (StateStoreException e) {
            return Map.of();
        }
    }

    private Map<String, String> state() {
        return Map.of("orders", String.valueOf(commits));
    }

    /** Somebody leads with the newest state, or nobody does and the segment is named. */
    void requireNewestStateOrItsFileNamed() {
        if (holder.isHeld() || standby.isHeld()) {
            Contender leader = holder.isHeld() ? holder : standby;
            assertThat(leader.lease().state().entries()).isEqualTo(state());
        } else {
            assertThat(newest()).isEmpty();
            assertThat(holder.status().stateFailure() + standby.status().stateFailure())
                    .contains(statePath.resolve("3.json").toString());
        }
    }

    void plantAlmostEpoch() {
        names.plantAlmostEpoch(holder.lease().epoch());
    }

    Path plantObstacle() {
        return names.plantObstacle(holder.lease().epoch());
    }

    private void garble(Path file) {
        byte[] garbled = contents.garbled(read(file));
        try {
            Files.write(file, garbled);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
