package io.leasehold.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What everybody has enough of runs out: open files, blocks of the file system, memory. */
@Tag("processes")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class ScarcityTest {
    private static final Timing TIMING = Timing.ofMillis(500);
    private static final int ROUNDS = 2;
    private static final int FEW_FILES = 64;
    private static final double LONG_TTLS = 2.5;

    @TempDir
    Path directory;

    private static Host host(String name, Path directory) {
        return Host.of(name, directory.resolve("lease"), directory.resolve("state"));
    }

    private static void pass(double ttls) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(TIMING.ttls(ttls).toNanos());
    }

    /** The standby's files first, then the leader's: each can lead afterwards. */
    @Test
    void aProcessWithoutAFileLeftSurrendersAndRecovers() throws Exception {
        Torture.requireTool("there is no shell whose ulimit can be lowered", "sh", "-c", "ulimit -n " + FEW_FILES);
        try (Scenario scenario = new Scenario("open-files", TIMING)) {
            Replicas replicas = scenario.replicas();
            List<String> few = Torture.withOpenFiles(FEW_FILES);
            Replica a = replicas.start(host("a", directory).startedBy(few));
            Replica b = replicas.start(host("b", directory).startedBy(few));
            for (int round = 0; round < ROUNDS; round++) {
                scenario.beginRound();
                Replica leader = replicas.awaitLeader();
                Replica standby = leader == a ? b : a;
                useUp(replicas, standby, ReplicaProgram.USE_UP_FILES);
                leader = replicas.awaitLeader();
                useUp(replicas, leader, ReplicaProgram.USE_UP_FILES);
            }
            Replica leader = replicas.awaitLeader();
            leader.kill();
            assertThat(scenario.judge().handOvers()).isPositive();
        }
    }

    private static void useUp(Replicas replicas, Replica replica, String what) throws Exception {
        long beginNs = System.nanoTime();
        replica.tell(what + " " + TIMING.ttls(LONG_TTLS));
        replicas.awaitLine(replica, HistoryEvent.DONE, beginNs);
    }

    @Test
    void aLeaderThatCollectsGarbageForLongerThanItsTtlSurrenders() throws Exception {
        try (Scenario scenario = new Scenario("small-heap", TIMING)) {
            Replicas replicas = scenario.replicas();
            replicas.start(host("a", directory).withOptions("-Xmx160m"));
            replicas.start(host("b", directory).withOptions("-Xmx160m"));
            for (int round = 0; round < ROUNDS; round++) {
                scenario.beginRound();
                Replica leader = replicas.awaitLeader();
                long beginNs = System.nanoTime();
                useUp(replicas, leader, ReplicaProgram.USE_UP_HEAP);
                replicas.awaitOver(leader, beginNs);
            }
            scenario.judge();
        }
    }

    private interface Trouble {
        void with(SmallDisk disk) throws Exception;
    }

    private void costsTheLeaseAndNothingElse(String name, String size, Trouble begin, Trouble end) throws Exception {
        SmallDisk.require(directory);
        try (SmallDisk disk = new SmallDisk(directory, size);
                Scenario scenario = new Scenario(name, TIMING)) {
            Replicas replicas = scenario.replicas();
            replicas.start(host("a", disk.path()));
            replicas.start(host("b", disk.path()));
            for (int round = 0; round < ROUNDS; round++) {
                scenario.beginRound();
                Replica leader = replicas.awaitLeader();
                long beginNs = System.nanoTime();
                begin.with(disk);
                replicas.awaitOver(leader, beginNs);
                pass(LONG_TTLS);
                end.with(disk);
            }
            scenario.judge();
        }
    }

    @Test
    void aFullDiskCostsTheLeaseAndNothingElse() throws Exception {
        costsTheLeaseAndNothingElse("full-disk", "64k", SmallDisk::fill, SmallDisk::empty);
    }

    @Test
    void aDiskThatIsWriteProtectedCostsTheLeaseAndNothingElse() throws Exception {
        costsTheLeaseAndNothingElse("read-only-disk", "4m", SmallDisk::protect, SmallDisk::unprotect);
    }
}
