package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import java.util.List;

/** The conditions of a state in a database, taken out. */
final class DatabaseMutants {
    private DatabaseMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.simulatedInDatabase(
                        "A_COMMIT_COMPARES_NO_SEQUENCE",
                        Rule.COMMITS_ARE_KEPT,
                        Mutant.edit("jdbc/JdbcStateStore.java", "and sequence = ?", "and -1 < ?")),
                Mutant.simulatedInDatabase(
                        "A_COMMIT_COMPARES_NEITHER_EPOCH_NOR_HOLDER_NOR_SEQUENCE",
                        Rule.A_SEAL_FENCES,
                        Mutant.edit(
                                "jdbc/JdbcStateStore.java",
                                "epoch = ? and holder = ? and sequence = ?",
                                "0 < ? and '' < ? and -1 < ?")));
    }
}
