package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import java.util.List;

/** The rules of the election, each taken out. */
final class ElectionMutants {
    private ElectionMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.explored(
                        "A_TERM_COUNTS_FROM_ITS_ANSWER",
                        "two processes, longer ttls",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Holding.java",
                                "if (lease.confirm(begun)) {",
                                "if (lease.confirm(context.clock().now())) {")),
                Mutant.simulated(
                        "A_CLAIM_COUNTS_FROM_ITS_ANSWER",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "LeaseElection.java",
                                "claim.begun(), context.clock(),",
                                "context.clock().now(), context.clock(),")),
                Mutant.explored(
                        "A_LATE_RENEW_COUNTS",
                        "two processes",
                        Rule.A_TERM_NEVER_COMES_BACK,
                        Mutant.A_LATE_RENEW_COUNTS),
                Mutant.explored(
                        "AN_UNVERIFIED_RENEW_MOVES_THE_DEADLINE",
                        "two processes, reads fail",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Holding.java",
                                "context.counters().renewed(RenewOutcome.UNVERIFIED);",
                                "context.counters().renewed(RenewOutcome.UNVERIFIED); lease.confirm(begun);"),
                        Mutant.A_LATE_RENEW_COUNTS),
                Mutant.explored(
                        "THE_DEADLINE_NEVER_COMES",
                        "two processes",
                        Rule.ONE_HOLDER,
                        Mutant.edit("Lease.java", "return clock.elapsedNsSince(at.confirmed);", "return 0;")),
                Mutant.explored(
                        "A_RETRY_HAS_THE_SAME_SEQUENCE",
                        "two processes, a rename has lost its reply and cannot be read back",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Holding.java",
                                "record = record.renewed( record.sequence() + 1,",
                                "record = record.renewed( record.sequence() + (unsettled == null ? 1 : 0),")),
                Mutant.explored(
                        "A_CLAIM_NAMES_ITS_OWN_TTL",
                        "three processes, different ttls, a renew is slow",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Standby.java",
                                "return before.ttl().compareTo(own) > 0 ? before.ttl() : own;",
                                "return own;"),
                        Mutant.A_LATE_RENEW_COUNTS),
                Mutant.explored(
                        "A_RELEASE_DOES_NOT_WAIT_FOR_THE_WORK",
                        "two processes step down",
                        Rule.RELEASED_AFTER_THE_WORK,
                        Mutant.edit(
                                "Holding.java",
                                "if (context.listeners().haveStopped()) {",
                                "if (lease.isDraining()) {")),
                Mutant.explored(
                        "A_GARBLED_LEASE_IS_WAITED_FOR_THE_OWN_TTL",
                        "two processes, the lease is garbled",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Standby.java",
                                "found.record() != null ? found.record().ttl() : context.memory().longestTtl();",
                                "found.record() != null ? found.record().ttl() : context.settings().ttl();")),
                Mutant.explored(
                        "A_BARE_CLAIM_CAN_HAVE_EXPIRED",
                        "three processes, a claim is slow",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Standby.java",
                                "record != null && record.sequence() > 0 && record.expiresAt()",
                                "record != null && record.expiresAt()"),
                        Mutant.A_LATE_RENEW_COUNTS),
                Mutant.explored(
                        "A_LOST_EPOCH_NEED_NOT_LAST",
                        "two processes, the lease is emptied",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Standby.java",
                                "long doubtDueInNs = doubtful ? dueInNs(found, asked, true) : 0;",
                                "long doubtDueInNs = 0;")),
                Mutant.explored(
                        "A_CHANGE_IS_DATED_BEFORE_THE_READ",
                        "two processes",
                        Rule.ONE_HOLDER,
                        Mutant.edit("Standby.java", "observe(found);", "observe(found, asked);"),
                        Mutant.edit(
                                "Standby.java",
                                "private void observe(LeaseSnapshot found) {",
                                "private void observe(LeaseSnapshot found, Moment asked) {"),
                        Mutant.edit(
                                "Standby.java",
                                "seenAtNs = context.clock().nanoTime();",
                                "seenAtNs = asked.monotonicNs();")),
                Mutant.explored(
                        "THE_FLOOR_IS_IGNORED",
                        "two processes, the lease is emptied",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Standby.java",
                                "headFailure = null; return head;",
                                "headFailure = null; return new StateHead(0, head.leaseId());")),
                Mutant.simulated(
                        "THE_END_OF_WORK_IS_TOLD_TO_WHOEVER_LISTENS",
                        Rule.CALLS_COME_IN_PAIRS,
                        Mutant.edit("ListenerCalls.java", "if (isWorkingFor(lease)) {", "if (lease.epoch() > 0) {")),
                Mutant.simulated(
                        "THE_WALL_CLOCK_IS_NOT_ASKED",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "LeaseClock.java",
                                "return Math.max( nanoTime() - moment.monotonicNs(), TimeUnit.MILLISECONDS.toNanos(currentTimeMillis() - moment.wallMs()));",
                                "return nanoTime() - moment.monotonicNs();")),
                Mutant.explored(
                        "A_STANDBY_WAITS_HALF_A_TTL",
                        "two processes",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                "Standby.java",
                                "return wait.toNanos() - (asked",
                                "return wait.toNanos() / 2 - (asked")),
                Mutant.simulated(
                        "SKEW_IS_NOT_ALLOWED_FOR",
                        Rule.ONE_HOLDER,
                        Mutant.edit("Standby.java", ".minus(context.settings().maxClockSkew());", ";")),
                Mutant.explored(
                        "A_FLOOR_THAT_ROSE_IS_NO_CHANGE",
                        "two processes, the lease is emptied",
                        Rule.ONE_HOLDER,
                        Mutant.edit("Standby.java", "if (floor > highestKnown) {", "if (floor < highestKnown) {")),
                Mutant.explored(
                        "A_CLAIM_LEADS_WITHOUT_A_SEAL",
                        "two processes, the lease is emptied",
                        Rule.AN_EPOCH_IS_HELD_ONCE,
                        Mutant.edit(
                                "StateOpening.java",
                                "session = open(claim);",
                                "session = claim.record().epoch() > 0 ? null : open(claim);")));
    }
}
