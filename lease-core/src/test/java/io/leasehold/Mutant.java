package io.leasehold;

import io.leasehold.MutantSource.Edit;
import io.leasehold.SimulationChecks.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shipped code without one rule.
 *
 * @param name what it does instead of the rule
 * @param world the world in which that is found; null for random histories
 * @param onServer whether the random histories are those of a server, instead of files
 * @param broken what it breaks
 * @param edits how the rule is taken out of the source
 */
record Mutant(String name, @Nullable String world, boolean onServer, Rule broken, List<Edit> edits) {
    /** A rule behind which others stand: what they hold alone shows when it is taken out with them. */
    static final Edit A_LATE_RENEW_COUNTS =
            new Edit("Lease.java", "            if (!isHeld()) {\n                return false;\n            }\n", "");

    static Mutant explored(String name, String world, Rule broken, Edit... edits) {
        return new Mutant(name, world, false, broken, List.of(edits));
    }

    static Mutant simulated(String name, Rule broken, Edit... edits) {
        return new Mutant(name, null, false, broken, List.of(edits));
    }

    static Mutant simulatedOnServer(String name, Rule broken, Edit... edits) {
        return new Mutant(name, null, true, broken, List.of(edits));
    }

    static Edit edit(String file, String shipped, String changed) {
        return new Edit(file, shipped, changed);
    }

    @Override
    public String toString() {
        return name;
    }
}
