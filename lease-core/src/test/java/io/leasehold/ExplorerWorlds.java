package io.leasehold;

import io.leasehold.ExplorerWorld.Allowance;
import java.util.List;

/** The worlds that are explored. */
final class ExplorerWorlds {
    private ExplorerWorlds() {}

    /** All of them. */
    static List<ExplorerWorld> all() {
        return List.of(
                ExplorerWorld.of("two processes", 2, 2),
                ExplorerWorld.of("two processes, longer ttls", 3, 3),
                ExplorerWorld.of("two processes, reads fail", 2, 2)
                        .allow(Allowance.FAILED_READS, 3)
                        .allow(Allowance.MOMENTS, 1),
                ExplorerWorld.of("two processes, writes fail", 2, 2)
                        .allow(Allowance.FAILED_WRITES, 2)
                        .allow(Allowance.MOMENTS, 1),
                ExplorerWorld.of("two processes, reads and writes fail", 4, 4)
                        .allow(Allowance.FAILED_READS, 2)
                        .allow(Allowance.FAILED_WRITES, 2)
                        .lasting(5),
                ExplorerWorld.of("two processes, crashes", 2, 2)
                        .allow(Allowance.CRASHES, 2)
                        .allow(Allowance.FAILED_WRITES, 1),
                ExplorerWorld.of("two processes, the power fails", 2, 2)
                        .allow(Allowance.POWER_FAILURES, 1)
                        .allow(Allowance.COMMITS, 1),
                ExplorerWorld.of("two processes commit", 2, 2).allow(Allowance.COMMITS, 2),
                ExplorerWorld.of("two processes commit, writes fail", 2, 2)
                        .allow(Allowance.COMMITS, 2)
                        .allow(Allowance.FAILED_WRITES, 1)
                        .allow(Allowance.CRASHES, 1),
                ExplorerWorld.of("two processes step down", 3, 3)
                        .draining(1)
                        .allow(Allowance.STEP_DOWNS, 1)
                        .allow(Allowance.FAILED_READS, 1),
                ExplorerWorld.of("two processes, different ttls", 3, 2).lasting(5),
                ExplorerWorld.of("three processes, different ttls", 4, 1, 1).lasting(5),
                ExplorerWorld.of("two processes, the lease is emptied", 2, 2)
                        .allow(Allowance.EMPTIED, 1)
                        .allow(Allowance.CRASHES, 1),
                ExplorerWorld.of("two processes, the lease is restored", 2, 2)
                        .allow(Allowance.RESTORED, 1)
                        .allow(Allowance.STEP_DOWNS, 1)
                        .lasting(5),
                ExplorerWorld.of("two processes, the lease is garbled", 3, 2).allow(Allowance.GARBLED, 1),
                ExplorerWorld.of("two processes commit, a segment is garbled", 2, 2)
                        .allow(Allowance.COMMITS, 1)
                        .allow(Allowance.SEGMENT_GARBLED, 1),
                ExplorerWorld.of("two processes without a state store", 2, 2)
                        .allow(Allowance.FAILED_READS, 1)
                        .allow(Allowance.FAILED_WRITES, 1)
                        .withoutState(),
                ExplorerWorld.of("two processes without a state store, the power fails", 2, 2)
                        .allow(Allowance.POWER_FAILURES, 1)
                        .withoutState(),
                ExplorerWorld.of("two processes, a rename is under way", 2, 2)
                        .allow(Allowance.FAILED_WRITES, 2)
                        .allow(Allowance.MOMENTS, 1)
                        .after("A", "B", "tick", "A until MOVE /lease/1.json", "A LANDS_LATER", "A FAILS"),
                ExplorerWorld.of("two processes, a rename has lost its reply and cannot be read back", 4, 4)
                        .allow(Allowance.FAILED_READS, 2)
                        .allow(Allowance.FAILED_WRITES, 2)
                        .allow(Allowance.MOMENTS, 1)
                        .lasting(6)
                        .after("A", "B", "tick", "A until MOVE /lease/1.json", "A LOSES_ITS_REPLY", "A", "B")
                        .after("tick", "A until LIST /lease", "A FAILS", "B")
                        .after("tick", "A until LIST /lease", "A FAILS", "A until MOVE /lease/1.json", "A FAILS", "A"),
                ExplorerWorld.of("three processes, different ttls, a renew is slow", 4, 1, 1)
                        .lasting(5)
                        .after("A", "B", "tick", "tick", "tick", "A until MOVE /lease/1.json", "tick"),
                ExplorerWorld.of("three processes, a claim is slow", 2, 2, 2)
                        .trustingClocks()
                        .lasting(6)
                        .after("A", "B", "tick", "A until MOVE /lease/1.json", "tick", "B until LINK /lease/2.json")
                        .after("A", "A", "tick", "A", "tick", "A", "B"),
                ExplorerWorld.of("three processes", 2, 2, 2),
                ExplorerWorld.of("three processes, everything fails", 2, 2, 2)
                        .allow(Allowance.CRASHES, 1)
                        .allow(Allowance.FAILED_READS, 1)
                        .allow(Allowance.FAILED_WRITES, 1)
                        .allow(Allowance.COMMITS, 1));
    }

    /** One of them. */
    static ExplorerWorld named(String title) {
        return all().stream()
                .filter(world -> world.toString().equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No world is called " + title));
    }
}
