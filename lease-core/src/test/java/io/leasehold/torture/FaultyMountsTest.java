package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two hosts whose views of one storage fail in every way, one at a time. */
@Tag("processes")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class FaultyMountsTest {
    private static final List<String> MODES = List.of(
            "eio-read",
            "estale-read",
            "eio-write",
            "enospc",
            "hang",
            "slow:10",
            "lost-rename",
            "lost-link",
            "torn:20",
            "hang:rename:/",
            "hang:link:/");
    private static final List<Double> TTLS = List.of(0.5, 2.5);

    @TempDir
    Path directory;

    @BeforeEach
    void requireMounts() throws Exception {
        FaultyMount.require();
    }

    @Test
    void noFaultOfTheStorageMakesTwoHoldersOrLosesACommit() throws Exception {
        try (TwoHosts hosts = new TwoHosts(directory, false);
                Scenario scenario = new Scenario("faulty-mounts", Timing.ofMillis(400))) {
            Replicas replicas = scenario.replicas();
            hosts.start(replicas);
            for (String mode : MODES) {
                for (double ttls : TTLS) {
                    scenario.beginRound();
                    onLeader(hosts, scenario, mode, ttls);
                    scenario.beginRound();
                    onStandby(hosts, scenario, mode, ttls);
                }
            }
            assertThat(scenario.judge().handOvers()).isPositive();
        }
    }

    private static void onLeader(TwoHosts hosts, Scenario scenario, String mode, double ttls) throws Exception {
        FaultyMount mount = hosts.mountOf(scenario.replicas().awaitLeader());
        mount.fail(mode);
        sleep(scenario.timing().ttls(ttls));
        mount.mend();
    }

    /** A standby notices a fault when it has to claim, so it is made to. */
    private static void onStandby(TwoHosts hosts, Scenario scenario, String mode, double ttls) throws Exception {
        Replica leader = scenario.replicas().awaitLeader();
        FaultyMount mount = hosts.mountOf(hosts.other(scenario.replicas(), leader));
        mount.fail(mode);
        leader.tell(ReplicaProgram.STEP_DOWN);
        sleep(scenario.timing().ttls(ttls));
        mount.mend();
    }

    private static void sleep(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    @Test
    void failedReadsInsideATtlCostNothingAndAfterItTheLease() throws Exception {
        try (TwoHosts hosts = new TwoHosts(directory, false);
                Scenario scenario = new Scenario("failed-reads", Timing.ofMillis(6000))) {
            Replicas replicas = scenario.replicas();
            hosts.start(replicas);
            Replica leader = replicas.awaitLeader();
            long beginNs = System.nanoTime();
            hosts.mountOf(leader).fail("estale-read");
            replicas.awaitLine(leader, HistoryEvent.RENEWED, beginNs);
            hosts.mountOf(leader).mend();
            sleep(scenario.timing().ttls(0.5));
            assertThat(replicas.awaitLeader()).isSameAs(leader);
            assertThat(leader.has(HistoryEvent.OVER)).isFalse();

            hosts.mountOf(leader).fail("eio-read");
            Replica next = replicas.awaitLeader(List.of(hosts.other(replicas, leader)));
            assertThat(next).isNotSameAs(leader);
            hosts.mountOf(leader).mend();
            assertThat(scenario.judge().unverified()).isPositive();
        }
    }

    @Test
    void aRenewThatLandsThreeTtlsLateHarmsNobody() throws Exception {
        try (TwoHosts hosts = new TwoHosts(directory, false);
                Scenario scenario = new Scenario("rename-of-a-renew-late", Timing.ofMillis(600))) {
            hosts.start(scenario.replicas());
            Replica leader = scenario.replicas().awaitLeader();
            hosts.mountOf(leader).fail("hang:rename:/lease");
            landsLate(hosts, scenario, leader);
        }
    }

    @Test
    void aCommitThatLandsThreeTtlsLateIsNotAcknowledged() throws Exception {
        try (TwoHosts hosts = new TwoHosts(directory, false);
                Scenario scenario = new Scenario("rename-of-a-commit-late", Timing.ofMillis(600))) {
            hosts.start(scenario.replicas());
            Replica leader = scenario.replicas().awaitLeader();
            while (!commitHangs(hosts, scenario, leader)) {
                hosts.mountOf(leader).mend();
                leader = scenario.replicas().awaitLeader();
            }
            hosts.mountOf(leader).fail("hang:rename:/");
            landsLate(hosts, scenario, leader);
            assertThat(leader.has(HistoryEvent.REFUSED)).isTrue();
        }
    }

    /** Its rename lands when a successor has committed, and it looks whether it may acknowledge that only afterwards. */
    @Test
    void aProcessThatIsStoppedInTheMiddleOfACommitIsFenced() throws Exception {
        try (TwoHosts hosts = new TwoHosts(directory, false);
                Scenario scenario = new Scenario("stopped-in-a-commit", Timing.ofMillis(600))) {
            Replicas replicas = scenario.replicas();
            hosts.start(replicas);
            Replica leader = replicas.awaitLeader();
            while (!commitHangs(hosts, scenario, leader)) {
                hosts.mountOf(leader).mend();
                leader = replicas.awaitLeader();
            }
            leader.pause();
            replicas.awaitLeader(List.of(hosts.other(replicas, leader)));
            replicas.awaitCommit();
            hosts.mountOf(leader).mend();
            sleep(scenario.timing().ttls(0.5));
            leader.resume();
            replicas.awaitOver(leader, System.nanoTime());
            leader.tell(ReplicaProgram.STEP_DOWN);
            scenario.judge();
            assertThat(leader.has(HistoryEvent.REFUSED)).isTrue();
        }
    }

    private static boolean commitHangs(TwoHosts hosts, Scenario scenario, Replica leader) throws Exception {
        hosts.mountOf(leader).fail("hang:rename:/state");
        long beginNs = System.nanoTime();
        sleep(scenario.timing().ttls(0.5));
        return leader.has(HistoryEvent.COMMITTING, beginNs);
    }

    private static void landsLate(TwoHosts hosts, Scenario scenario, Replica late) throws Exception {
        sleep(scenario.timing().ttls(3));
        scenario.replicas().awaitLeader(List.of(hosts.other(scenario.replicas(), late)));
        hosts.mountOf(late).mend();
        sleep(scenario.timing().ttls(0.5));
        scenario.judge();
    }

    @Test
    void aClaimThatLandsThreeTtlsLateIsGivenUp() throws Exception {
        try (TwoHosts hosts = new TwoHosts(directory, false);
                Scenario scenario = new Scenario("link-of-a-claim-late", Timing.ofMillis(600))) {
            Replicas replicas = scenario.replicas();
            hosts.start(replicas);
            List<HistoryLine> late = List.of();
            while (late.isEmpty()) {
                Replica leader = replicas.awaitLeader();
                Replica standby = hosts.other(replicas, leader);
                hosts.mountOf(standby).fail("hang:link:/lease");
                leader.tell(ReplicaProgram.STEP_DOWN);
                sleep(scenario.timing().ttls(3));
                hosts.mountOf(standby).mend();
                replicas.awaitCommit();
                late = claimsLongerThan(scenario.timing().ttls(2), standby);
            }
            assertThat(late).noneMatch(line -> line.detail().equals("ACQUIRED"));
            scenario.judge();
        }
    }

    private static List<HistoryLine> claimsLongerThan(Duration time, Replica replica) throws IOException {
        return replica.lines().stream()
                .filter(line -> line.event() == HistoryEvent.CLAIMED && line.toNs() - line.fromNs() > time.toNanos())
                .toList();
    }

    /** What the contract of the file store excuses is two holders; the state, on sound storage, is fenced all the same. */
    @Test
    void staleListingsOfOneHostNeverLoseACommitOrRepeatAnEpoch() throws Exception {
        try (TwoHosts hosts = new TwoHosts(directory, true);
                Scenario scenario = new Scenario("stale-listings", Timing.ofMillis(500))) {
            Replicas replicas = scenario.replicas();
            hosts.start(replicas);
            for (double ttls : List.of(0.5, 3.0)) {
                scenario.beginRound();
                onLeader(hosts, scenario, "stale", ttls);
                scenario.beginRound();
                onStandby(hosts, scenario, "stale", ttls);
            }
            scenario.judge(Rule.ONE_HOLDER, Rule.WORK_BEFORE_RELEASE);
        }
    }

    @Test
    void aHostThatIsStoppedWhileItsListingsAreStaleIsFenced() throws IOException, InterruptedException {
        try (TwoHosts hosts = new TwoHosts(directory, true);
                Scenario scenario = new Scenario("stale-after-a-pause", Timing.ofMillis(500))) {
            Replicas replicas = scenario.replicas();
            hosts.start(replicas);
            for (int round = 0; round < 3; round++) {
                scenario.beginRound();
                Replica leader = replicas.awaitLeader();
                hosts.mountOf(leader).fail("stale");
                leader.pause();
                replicas.awaitLeader(List.of(hosts.other(replicas, leader)));
                leader.resume();
                sleep(scenario.timing().ttls(1));
                hosts.mountOf(leader).mend();
            }
            scenario.judge(Rule.ONE_HOLDER, Rule.WORK_BEFORE_RELEASE);
        }
    }
}
