package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a holder does when its lease was tampered with, or is not where it was. */
class ContestedLeaseTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final Duration RENEW = Duration.ofSeconds(2);
    private static final Duration VERIFY = Duration.ofMillis(200);

    @TempDir
    Path parent;

    private final ManualClock clock = new ManualClock();
    private LeaseDirectory directory;
    private Contender holder;

    @BeforeEach
    void acquire() {
        directory = new LeaseDirectory(parent.resolve("lease"));
        LeaseSettings settings = LeaseSettings.builder("orders")
                .ttl(TTL)
                .renewInterval(RENEW)
                .drainTimeout(Duration.ZERO)
                .verifyDelay(VERIFY)
                .build();
        holder = new Contender("holder", settings, directory.store(), null, clock);
        holder.pass(RENEW);
        assertThat(holder.isHeld()).isTrue();
    }

    @Test
    void anOwnFileThatWasDeletedIsReadAgainAfterAPauseAndThenWrittenAgain() {
        directory.delete(directory.file(1));
        holder.pass(RENEW);
        assertThat(directory.file(1)).doesNotExist();
        holder.pass(VERIFY);
        assertThat(directory.read(1)).contains("\"holder\":\"holder\"");
        assertThat(holder.status().sinceConfirmed()).isZero();
        assertThat(holder.calls).containsExactly("acquired 1");
    }

    @Test
    void anOwnFileThatWasGarbledIsReadAgainAfterAPauseAndThenWrittenAgain() {
        directory.write(1, "not json");
        holder.pass(RENEW);
        assertThat(directory.read(1)).isEqualTo("not json");
        holder.pass(VERIFY);
        assertThat(directory.read(1)).contains("\"holder\":\"holder\"");
        assertThat(holder.calls).containsExactly("acquired 1");
    }

    @Test
    void anothersBytesInTheOwnFileSupersede() {
        String anothers = directory.write(1, 5, "PT10S", "2026-01-01T00:00:30Z", false);
        int writes = holder.store.writes;
        holder.pass(RENEW);
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 SUPERSEDED");
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(directory.read(1)).isEqualTo(anothers);
    }

    @Test
    void aSingleFailedReadFollowedByAGoodOneIsAnOrdinaryRenew() {
        holder.store.readsToFail = 1;
        holder.pass(RENEW.plus(VERIFY));
        assertThat(holder.status().sinceConfirmed()).isZero();
        assertThat(holder.status().unverifiedRenews()).isZero();
        assertThat(holder.calls).containsExactly("acquired 1");
    }

    @Test
    void aHigherEpochSeenAfterAFailedReadSupersedesWithoutAWrite() {
        holder.store.readsToFail = 1;
        int writes = holder.store.writes;
        holder.pass(RENEW);
        String higher = directory.write(2, 0, "PT10S", "2026-01-01T00:00:30Z", false);
        holder.pass(VERIFY);
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 SUPERSEDED");
        assertThat(holder.store.writes).isEqualTo(writes);
        assertThat(directory.read(2)).isEqualTo(higher);
    }

    @Test
    void aHigherEpochThatAppearsWhileTheRenewIsWrittenSupersedes() {
        holder.store.beforeWrite = () -> directory.write(2, 0, "PT10S", "2026-01-01T00:00:30Z", false);
        holder.pass(RENEW);
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 SUPERSEDED");
        assertThat(holder.isHeld()).isFalse();
    }

    @Test
    void aHigherEpochThatCannotBeUnderstoodSupersedes() {
        directory.write(2, "");
        holder.pass(RENEW);
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 SUPERSEDED");
    }

    @Test
    void aDirectoryThatWasReplacedConfirmsNothing() throws IOException {
        Files.move(directory.path, parent.resolve("moved"));
        Contender other = new Contender(
                "other", LeaseSettings.builder("orders").ttl(TTL).build(), directory.store(), null, new ManualClock());
        other.settle();
        other.election.close();
        other.settle();
        directory.deleteEpochs();

        holder.pass(RENEW.plus(VERIFY));
        assertThat(holder.isHeld()).isTrue();
        assertThat(holder.status().unverifiedRenews()).isEqualTo(1);
        holder.pass(TTL);
        assertThat(holder.calls).containsExactly("acquired 1", "surrendered 1 EXPIRED");
    }

    @Test
    void anotherDirectoryIsRefusedWithBothIdsUntilThatIsConfirmed() throws IOException {
        String marker = Files.readString(directory.marker());
        String id = marker.replaceAll(".*\"id\":\"([^\"]+)\".*", "$1");
        Files.writeString(directory.marker(), marker.replace(id, "another-id"));
        holder.pass(TTL);
        assertThat(holder.isHeld()).isFalse();
        directory.deleteEpochs();
        holder.pass(TTL.multipliedBy(3));
        assertThat(holder.isHeld()).isFalse();
        assertThat(holder.status().reachable()).isFalse();
        assertThat(holder.status().lastFailure()).contains(id, "another-id", "writing " + id);

        Files.writeString(directory.marker(), marker);
        holder.pass(TTL.plus(VERIFY));
        assertThat(holder.lease().epoch()).isEqualTo(2);
    }

    @Test
    void anEmptiedDirectoryIsRefused() {
        directory.deleteEpochs();
        directory.delete(directory.marker());
        holder.pass(TTL.multipliedBy(3));
        assertThat(holder.isHeld()).isFalse();
        assertThat(holder.status().lastFailure()).contains("missing");
        assertThat(directory.marker()).doesNotExist();
    }

    @Test
    void aDirectoryThatIsGoneIsRefusedAndNotCreatedAgain() {
        directory.deleteAll();
        holder.pass(TTL.multipliedBy(3));
        assertThat(holder.isHeld()).isFalse();
        assertThat(directory.path).doesNotExist();
    }
}
