package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.LeaseStoreException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A standby that was there before the state was, and has watched a leader that has it open. */
class WatchedStateTest {
    private static final Duration TTL = Duration.ofSeconds(10);
    private static final String EXPIRY = "2030-01-01T00:00:00Z";

    @TempDir
    Path parent;

    private LeaseDirectory directory;
    private Path state;
    private Contender standby;

    @BeforeEach
    void watchAClaim() throws LeaseStoreException {
        directory = new LeaseDirectory(parent.resolve("lease"));
        state = parent.resolve("state");
        directory.store().initialize();
        directory.write(1, 0, "PT10S", EXPIRY, false);
        standby = new Contender(
                "standby",
                LeaseSettings.builder("orders").ttl(TTL).build(),
                directory.store(),
                LeaseDirectory.stateStore(state),
                new ManualClock());
        standby.settle();
    }

    private void watchItLead() throws LeaseStoreException {
        String id = Objects.requireNonNull(directory.store().read().leaseId());
        LeaseDirectory.stateStore(state).open(1, "another", id).write(Map.of("orders", "17"));
        directory.write(1, 1, "PT10S", EXPIRY, false);
        standby.settle();
    }

    @Test
    void anEmptyDirectoryInPlaceOfTheStateIsRefused() throws Exception {
        watchItLead();
        Path right = Files.move(state, parent.resolve("away"));
        Files.createDirectory(state);
        standby.pass(TTL.multipliedBy(3));
        assertThat(standby.isHeld()).isFalse();
        assertThat(standby.status().stateFailure()).contains(state.toString(), "missing");
        assertThat(state).isEmptyDirectory();

        Files.delete(state);
        Files.move(right, state);
        standby.pass(TTL);
        assertThat(standby.lease().state().get("orders")).contains("17");
        assertThat(standby.status().stateFailure()).isNull();
    }

    @Test
    void aStateThatCannotBeReadYetIsNotNeededToWatch() throws Exception {
        Path marker = Files.writeString(state.resolve("marker.json"), "{");
        directory.write(1, 1, "PT10S", EXPIRY, false);
        standby.settle();
        assertThat(standby.status().reachable()).isTrue();
        assertThat(standby.status().stateFailure()).contains(marker.toString());

        Files.delete(marker);
        watchItLead();
        assertThat(standby.status().stateFailure()).isNull();
    }
}
