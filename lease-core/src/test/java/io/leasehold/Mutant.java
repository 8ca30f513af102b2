package io.leasehold;

import io.leasehold.MutantSource.Edit;
import io.leasehold.SimulationChecks.Rule;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The shipped code without one rule.
 *
 * @param name what it does instead of the rule
 * @param world the world in which that is found; null for random histories
 * @param stores what the random histories are of
 * @param broken what it breaks
 * @param edits how the rule is taken out of the source
 */
record Mutant(String name, @Nullable String world, Stores stores, Rule broken, List<Edit> edits) {
    /** What the processes of random histories share. */
    enum Stores {
        FILES,
        SERVER_MODEL,
        DATABASE;

        /** Null where they share files. */
        @Nullable
        Supplier<ServerRecords> records() {
            return switch (this) {
                case FILES -> null;
                case SERVER_MODEL -> ServerModel::new;
                case DATABASE -> DatabaseRecords::new;
            };
        }
    }

    /** A rule behind which others stand: what they hold alone shows when it is taken out with them. */
    static final Edit A_LATE_RENEW_COUNTS =
            new Edit("Lease.java", "            if (!isHeld()) {\n                return false;\n            }\n", "");

    static Mutant explored(String name, String world, Rule broken, Edit... edits) {
        return new Mutant(name, world, Stores.FILES, broken, List.of(edits));
    }

    static Mutant simulated(String name, Rule broken, Edit... edits) {
        return new Mutant(name, null, Stores.FILES, broken, List.of(edits));
    }

    static Mutant simulatedOnServer(String name, Rule broken, Edit... edits) {
        return new Mutant(name, null, Stores.SERVER_MODEL, broken, List.of(edits));
    }

    static Mutant simulatedInDatabase(String name, Rule broken, Edit... edits) {
        return new Mutant(name, null, Stores.DATABASE, broken, List.of(edits));
    }

    static Edit edit(String file, String shipped, String changed) {
        return new Edit(file, shipped, changed);
    }

    @Override
    public String toString() {
        return name;
    }
}
