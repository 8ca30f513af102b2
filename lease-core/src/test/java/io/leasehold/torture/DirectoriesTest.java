package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Somebody does something to the directories, or to who may use them, while processes contend. */
@Tag("processes")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class DirectoriesTest {
    private static final Timing TIMING = Timing.ofMillis(500);
    private static final double LONG_TTLS = 2.5;
    private static final List<String> AS_OTHER = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    Path directory;

    private Host host(String name) {
        return Host.of(name, directory.resolve("lease"), directory.resolve("state"));
    }

    private static void pass(double ttls) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(TIMING.ttls(ttls).toNanos());
    }

    /** With two processes that both have led. */
    private Scenario begin(String name) throws IOException, InterruptedException {
        Torture.requireSignals();
        Scenario scenario = new Scenario(name, TIMING);
        Replica a = scenario.replicas().start(host("a"));
        Replica b = scenario.replicas().start(host("b"));
        scenario.makeLead(a);
        scenario.makeLead(b);
        return scenario;
    }

    /** Lets the running terms end, and makes sure that none follows. */
    private static void assertNobodyLeads(Replicas replicas) throws Exception {
        pass(LONG_TTLS);
        long sinceNs = System.nanoTime();
        pass(1);
        for (Replica replica : replicas.alive()) {
            assertThat(replica.has(HistoryEvent.HELD, sinceNs))
                    .as(replica.name())
                    .isFalse();
        }
    }

    private void moveAway(String name) throws IOException {
        Files.move(directory.resolve(name), directory.resolve(name + ".away"));
        Files.createDirectory(directory.resolve(name));
    }

    private void moveBack(String name) throws IOException {
        Path replacement = directory.resolve(name);
        Files.move(replacement, directory.resolve(name + ".replacement"));
        Files.move(directory.resolve(name + ".away"), replacement);
    }

    @Test
    void anotherDirectoryInPlaceOfTheLeaseIsRefusedUntilTheRightOneIsBack() throws Exception {
        try (Scenario scenario = begin("lease-moved-away")) {
            scenario.replicas().awaitLeader();
            moveAway("lease");
            assertNobodyLeads(scenario.replicas());
            moveBack("lease");
            scenario.judge();
        }
    }

    @Test
    void anotherDirectoryInPlaceOfTheLeaseIsUsedWhenAPersonConfirmsIt() throws Exception {
        try (Scenario scenario = begin("lease-replaced")) {
            scenario.replicas().awaitLeader();
            moveAway("lease");
            assertNobodyLeads(scenario.replicas());
            Files.copy(directory.resolve("lease.away/marker.json"), directory.resolve("lease/marker.json"));
            scenario.judge();
        }
    }

    /** The holder of a lease whose state is gone keeps the lease, and no commit is acknowledged. */
    @Test
    void anotherDirectoryInPlaceOfTheStateAcknowledgesNothing() throws Exception {
        try (Scenario scenario = begin("state-moved-away")) {
            Replicas replicas = scenario.replicas();
            replicas.awaitCommit();
            pass(1);
            moveAway("state");
            pass(0.5);
            long sinceNs = System.nanoTime();
            pass(LONG_TTLS);
            for (Replica replica : replicas.alive()) {
                assertThat(replica.has(HistoryEvent.ACKNOWLEDGED, sinceNs))
                        .as(replica.name())
                        .isFalse();
            }
            moveBack("state");
            scenario.judge();
        }
    }

    @Test
    void oneLeaseIsReachedThroughSeveralLinks() throws Exception {
        Torture.requireSignals();
        Path real = Files.createDirectory(directory.resolve("real"));
        Path other = Files.createDirectory(directory.resolve("other"));
        Path first = Files.createSymbolicLink(directory.resolve("first"), real);
        Path second = Files.createSymbolicLink(directory.resolve("second"), first);
        try (Scenario scenario = new Scenario("symbolic-links", TIMING)) {
            Replicas replicas = scenario.replicas();
            replicas.start(Host.of("a", first.resolve("lease"), first.resolve("state")));
            replicas.start(Host.of("b", second.resolve("lease"), second.resolve("state")));
            replicas.start(Host.of("c", real.resolve("lease"), real.resolve("state")));
            replicas.awaitLeader().kill();
            replicas.awaitLeader().kill();
            replicas.awaitLeader();
            scenario.makeLead(replicas.start(Host.of("a", first.resolve("lease"), first.resolve("state"))));
            scenario.makeLead(replicas.start(Host.of("b", second.resolve("lease"), second.resolve("state"))));
            link(first, other);
            pass(LONG_TTLS);
            link(first, real);
            scenario.judge();
        }
    }

    /** Lets a link lead elsewhere from one moment to the next. */
    private static void link(Path link, Path target) throws IOException {
        Path next = Files.createSymbolicLink(link.resolveSibling("next"), target);
        Files.move(next, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void aProcessThatMayNotReadTheLeaseNeverGuessesAndRecovers() throws Exception {
        Torture.requireRoot();
        String[] probe = Stream.concat(AS_OTHER.stream(), Stream.of("true")).toArray(String[]::new);
        Torture.requireTool("only root can start a process of another user, by setpriv", probe);
        mode(directory, "rwxr-xr-x");
        Path histories = directory.resolve("histories");
        try (Scenario scenario = new Scenario("other-owner", TIMING, histories)) {
            for (Path shared : List.of(histories, directory.resolve("lease"), directory.resolve("state"))) {
                mode(Files.createDirectories(shared), "rwxrwxrwx");
            }
            Replicas replicas = scenario.replicas();
            Host others = host("other").startedBy(AS_OTHER);
            Replica other = replicas.start(others);
            replicas.awaitLeader();
            Replica root = replicas.start(host("root"));
            scenario.makeLead(root);
            assertThat(replicas.start(others).awaitRefusal()).contains("cannot be used by user", "denies access");
            root.kill();
            assertNobodyLeads(replicas);
            openAll(directory.resolve("lease"));
            openAll(directory.resolve("state"));
            replicas.awaitLeader(List.of(other));
            scenario.judge();
        }
    }

    private static void openAll(Path files) throws IOException {
        try (Stream<Path> all = Files.list(files)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                mode(file, "rw-r--r--");
            }
        }
    }

    private static void mode(Path file, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }
}
