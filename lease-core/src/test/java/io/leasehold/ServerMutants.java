package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import java.util.List;

/** The rules that all stores on servers share, each taken out. */
final class ServerMutants {
    private static final String LEASE = "store/ConditionalLeaseStore.java";
    private static final String STATE = "state/ConditionalStateStore.java";

    private ServerMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.simulatedOnServer(
                        "A_REFUSED_CLAIM_IS_MADE_ON_WHAT_IS_THERE",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                LEASE,
                                "if (isClaim(next) && !found.unchangedFrom(expected)) {",
                                "if (isClaim(next) && found.epoch() < 0) {")),
                Mutant.simulatedOnServer(
                        "A_REFUSED_RENEW_REPLACES_WHATEVER_IS_THERE",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                LEASE,
                                "if (isClaim(next) || basis.epoch() != next.epoch()) { return next.epoch() > basis.epoch(); }",
                                "if (isClaim(next)) { return next.epoch() > basis.epoch(); } if (basis.epoch() > next.epoch()) { return true; }"),
                        Mutant.A_LATE_RENEW_COUNTS),
                Mutant.simulatedOnServer(
                        "A_WRITE_WITHOUT_AN_ANSWER_IS_CONFIRMED",
                        Rule.ONE_HOLDER,
                        Mutant.edit(
                                LEASE,
                                "if (unanswered != null) { throw unanswered; } if (isClaim",
                                "if (unanswered != null) { return WriteOutcome.CONFIRMED; } if (isClaim")),
                Mutant.simulatedOnServer(
                        "AN_OLDER_EPOCH_MAY_OPEN_AND_WRITE_THE_STATE",
                        Rule.A_SEAL_FENCES,
                        Mutant.edit(STATE, "if (found.epoch() > epoch ||", "if (found.epoch() < 0 ||")),
                Mutant.simulatedOnServer(
                        "A_LATE_COMMIT_LOOKS_LIKE_THE_ONE_AFTER_IT",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(
                                STATE,
                                "sequence = Math.max(sequence, basis == null ? 0 : basis.sequence()) + 1;",
                                "sequence = basis == null ? 0 : basis.sequence();")),
                Mutant.simulatedOnServer(
                        "AN_OPEN_SEALS_NOTHING",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit(STATE, "if (write(found, next)) {", "if (found != null || write(found, next)) {")));
    }
}
