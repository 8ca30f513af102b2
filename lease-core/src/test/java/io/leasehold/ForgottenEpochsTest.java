package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.leasehold.state.StateHead;
import io.leasehold.state.StateSession;
import io.leasehold.state.StateStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Epochs that the lease has lost and the state store remembers. */
class ForgottenEpochsTest {
    private static final Duration TTL = Duration.ofSeconds(10);

    @TempDir
    Path parent;

    private final ManualClock clock = new ManualClock();
    private LeaseDirectory directory;

    @BeforeEach
    void leadSevenTerms() {
        directory = new LeaseDirectory(parent.resolve("lease"));
        for (int term = 1; term <= 7; term++) {
            Contender contender = contender("before-" + term);
            contender.settle();
            assertThat(contender.lease().epoch()).isEqualTo(term);
            contender.lease().state().commit("orders", "at " + term);
            contender.election.close();
            contender.settle();
        }
    }

    private Contender contender(String id) {
        return contender(id, LeaseDirectory.stateStore(parent.resolve("state")));
    }

    private Contender contender(String id, StateStore state) {
        return new Contender(id, LeaseSettings.builder("orders").ttl(TTL).build(), directory.store(), state, clock);
    }

    @Test
    void epochFilesThatAreLostNeverBringANumberBack() {
        directory.deleteEpochs();
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.leasehold");
        log.start();
        logger.addAppender(log);
        try {
            Contender fresh = contender("fresh");
            fresh.pass(TTL.minusMillis(1));
            assertThat(fresh.isHeld()).isFalse();
            fresh.pass(Duration.ofMillis(1));
            assertThat(fresh.lease().epoch()).isEqualTo(8);
            fresh.lease().state().commit("orders", "at 8");
            assertThat(fresh.lease().state().get("orders")).contains("at 8");
        } finally {
            logger.detachAppender(log);
        }
        assertThat(log.list).anySatisfy(event -> {
            assertThat(event.getLevel()).isEqualTo(Level.WARN);
            assertThat(event.getFormattedMessage()).contains("shows epoch 0", "epoch 7", "next epoch is 8");
        });
    }

    @Test
    void aTermThatCameAndWasLostBetweenALookAndTheFloorIsAChange() {
        directory.deleteEpochs();
        Contender leader = contender("leader");
        StandbyState state = new StandbyState(() -> {
            leader.pass(TTL);
            assertThat(leader.lease().epoch()).isEqualTo(8);
            directory.deleteEpochs();
        });
        Contender fresh = contender("fresh", state);
        fresh.settle();
        assertThat(leader.isHeld()).isTrue();
        fresh.pass(TTL.minusMillis(1));
        assertThat(fresh.isHeld()).isFalse();
        fresh.pass(Duration.ofMillis(1));
        assertThat(fresh.lease().epoch()).isEqualTo(9);
    }

    @Test
    void aBackupThatLooksLikeWhatWasSeenBeforeALaterTermIsAChange() {
        contender("crashed").settle();
        String eighth = directory.read(8);
        Contender leader = contender("leader");
        leader.settle();
        StandbyState state = new StandbyState(() -> {
            leader.settle();
            assertThat(leader.lease().epoch()).isEqualTo(9);
            directory.deleteEpochs();
            directory.write(8, eighth);
        });
        Contender fresh = contender("fresh", state);
        fresh.pass(TTL);
        assertThat(leader.isHeld()).isTrue();
        assertThat(fresh.isHeld()).isFalse();
        fresh.pass(TTL.minusMillis(1));
        assertThat(fresh.isHeld()).isFalse();
        fresh.pass(Duration.ofMillis(1));
        assertThat(fresh.lease().epoch()).isEqualTo(10);
    }

    @Test
    void aTermThatCameAndWasLostWhileAClaimWasUnderWayIsAChange() {
        directory.deleteEpochs();
        Contender leader = contender("leader");
        HookedLeaseStore store = new HookedLeaseStore(directory.store());
        Contender fresh = new Contender(
                "fresh",
                LeaseSettings.builder("orders").ttl(TTL).build(),
                store,
                LeaseDirectory.stateStore(parent.resolve("state")),
                clock);
        fresh.pass(TTL.minusMillis(1));
        leader.settle();
        store.beforeWrite = () -> {
            store.beforeWrite = () -> {};
            leader.pass(TTL);
            assertThat(leader.lease().epoch()).isEqualTo(8);
        };
        fresh.pass(Duration.ofMillis(1));
        assertThat(leader.isHeld()).isTrue();
        directory.deleteEpochs();
        fresh.pass(TTL.minusSeconds(1));
        assertThat(fresh.isHeld()).isFalse();
    }

    @Test
    void garbledContentsOfTheHighestEpochDoNotLowerIt() {
        directory.write(7, "not json");
        Contender fresh = contender("fresh");
        fresh.pass(TTL);
        assertThat(fresh.lease().epoch()).isEqualTo(8);
    }

    @Test
    void aBackupWithAReleasedLowerEpochHasToLastATtl() {
        String third = directory.read(3);
        directory.deleteEpochs();
        directory.write(3, third);
        assertThat(third).contains("\"released\":true");
        Contender fresh = contender("fresh");
        fresh.pass(TTL.minusMillis(1));
        assertThat(fresh.isHeld()).isFalse();
        fresh.pass(Duration.ofMillis(1));
        assertThat(fresh.lease().epoch()).isEqualTo(8);
    }

    /** A standby that could not read while the seventh term lasted, and then finds what it had seen before. */
    @Test
    void aBackupThatLooksUnchangedHasToLastATtlOnceItsLossIsKnown() {
        Contender holder = contender("holder");
        holder.settle();
        assertThat(holder.lease().epoch()).isEqualTo(8);
        Contender standby = contender("standby");
        standby.settle();
        String eighth = directory.read(8);
        holder.election.close();
        holder.settle();
        standby.store.readsFail = true;
        Contender next = contender("next");
        next.settle();
        assertThat(next.lease().epoch()).isEqualTo(9);
        passTogether(standby, next, TTL.multipliedBy(2));

        directory.delete(directory.file(9));
        directory.write(8, eighth);
        standby.store.readsFail = false;
        standby.pass(TTL.minusSeconds(1));
        assertThat(standby.isHeld()).isFalse();
        standby.pass(Duration.ofSeconds(2));
        assertThat(next.isHeld()).isFalse();
        assertThat(standby.lease().epoch()).isEqualTo(10);
    }

    private void passTogether(Contender standby, Contender holder, Duration time) {
        for (long leftMs = time.toMillis(); leftMs > 0; leftMs -= 100) {
            holder.pass(Duration.ofMillis(100));
            standby.settle();
            assertThat(holder.isHeld()).isTrue();
        }
    }

    @Test
    void anotherDirectoryThanTheStateRemembersIsRefusedWithBothIds() throws IOException {
        String marker = Files.readString(directory.marker());
        String id = marker.replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
        directory.deleteEpochs();
        Files.writeString(directory.marker(), marker.replace(id, "another-id"));
        Contender fresh = contender("fresh");
        fresh.pass(TTL.multipliedBy(3));
        assertThat(fresh.isHeld()).isFalse();
        assertThat(fresh.status().lastFailure()).contains(id, "another-id", "writing " + id);

        Files.writeString(directory.marker(), marker);
        fresh.pass(TTL.plusSeconds(1));
        assertThat(fresh.lease().epoch()).isEqualTo(8);
    }

    @Test
    void aLostDirectoryThatTheStateRemembersIsRefusedAndGetsNoNewMarker() {
        directory.deleteAll();
        Contender fresh = contender("fresh");
        fresh.pass(TTL.multipliedBy(3));
        assertThat(fresh.isHeld()).isFalse();
        assertThat(fresh.status().lastFailure()).contains("missing");
        assertThat(directory.marker()).doesNotExist();
    }

    @Test
    void whileTheFloorCannotBeReadNothingIsClaimed() throws IOException {
        Path marker = parent.resolve("state/marker.json");
        String contents = Files.readString(marker);
        Contender fresh = contender("fresh");
        Files.writeString(marker, "not json");
        fresh.pass(TTL.multipliedBy(3));
        assertThat(fresh.isHeld()).isFalse();
        assertThat(fresh.store.writes).isZero();
        assertThat(fresh.status().stateFailure()).contains("marker.json");

        Files.writeString(marker, contents);
        fresh.pass(Duration.ofSeconds(1));
        assertThat(fresh.lease().epoch()).isEqualTo(8);
    }

    @Test
    void aLeaseIsWatchedWhileTheFloorCannotBeRead() throws IOException {
        Contender holder = contender("holder");
        holder.settle();
        Path marker = parent.resolve("state/marker.json");
        String contents = Files.readString(marker);
        Contender late = contender("late");
        late.settle();
        Files.writeString(marker, "not json");
        late.pass(TTL);
        assertThat(late.status().currentHolder()).isEqualTo("holder");
        assertThat(late.isHeld()).isFalse();
        Files.writeString(marker, contents);
        late.pass(Duration.ofSeconds(1));
        assertThat(late.lease().epoch()).isEqualTo(9);
    }

    @Test
    void aCorruptSegmentIsNamedAndTheClaimGivenUpWithoutARelease() throws IOException {
        Path segment = parent.resolve("state/7.json");
        String contents = Files.readString(segment);
        Files.writeString(segment, "{");
        Contender fresh = contender("fresh");
        fresh.settle();
        assertThat(fresh.isHeld()).isFalse();
        assertThat(fresh.status().stateFailure()).contains("7.json");
        fresh.pass(TTL);
        assertThat(fresh.counters.counts().surrendered()).containsEntry(SurrenderReason.STATE_UNAVAILABLE, 1L);
        assertThat(directory.read(8)).contains("\"released\":false");
        assertThat(fresh.calls).isEmpty();

        Files.writeString(segment, contents);
        fresh.pass(TTL.multipliedBy(2));
        assertThat(fresh.isHeld()).isTrue();
        assertThat(fresh.lease().state().get("orders")).contains("at 7");
        assertThat(fresh.status().stateFailure()).isNull();
    }

    /** The state as a standby sees it, before whose last look at the floor something happens. */
    private final class StandbyState implements StateStore {
        private final StateStore store = LeaseDirectory.stateStore(parent.resolve("state"));
        private final Runnable meanwhile;
        private int looks;

        StandbyState(Runnable meanwhile) {
            this.meanwhile = meanwhile;
        }

        @Override
        public StateHead head() {
            if (++looks == 3) {
                meanwhile.run();
            }
            return store.head();
        }

        @Override
        public StateSession open(long epoch, String holder, String leaseId) {
            return store.open(epoch, holder, leaseId);
        }

        @Override
        public Map<String, String> snapshot() {
            return store.snapshot();
        }

        @Override
        public String location() {
            return store.location();
        }
    }
}
