package io.leasehold;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The checks can fail: of the shipped code with one rule taken out of its source, the explorer or the simulation finds the
 * violation that the rule prevents, and the explorer's history leads to it again.
 */
@ExtendWith(QuietLog.class)
@Tag("proof")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MutantsContract {
    private static final Duration TIME = Duration.ofMinutes(5);
    private static final int HISTORIES = 10_000;

    @TempDir
    Path output;

    private final List<Mutant> mutants;

    MutantsContract(List<Mutant> mutants) {
        this.mutants = mutants;
    }

    List<Mutant> mutants() {
        return mutants;
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aRuleTakenOutIsMissed(Mutant mutant) throws Exception {
        try (URLClassLoader loader = MutantSource.load(mutant.edits(), output)) {
            Class<?> hunt = Class.forName(MutantHunt.class.getName(), true, loader);
            String rule = mutant.broken().name();
            List<?> found = mutant.world() == null
                    ? simulate(hunt, rule, mutant.stores().name())
                    : explore(hunt, mutant.world(), rule);
            assertThat(found).as("what %s breaks", mutant).isNotEmpty();
            assertThat(found.get(0)).isEqualTo(rule);
            List<?> how = found.subList(2, found.size());
            System.out.println("Mutant " + mutant + ": " + found.get(0) + ", " + found.get(1) + ", "
                    + (mutant.world() == null ? how.get(0) : how.size() + " events"));
            if (mutant.world() != null) {
                assertThat(hunt.getMethod("repeat", String.class, List.class).invoke(null, mutant.world(), how))
                        .isEqualTo(rule);
            }
        }
    }

    private static List<?> explore(Class<?> hunt, String world, String rule) throws ReflectiveOperationException {
        return (List<?>) hunt.getMethod("explore", String.class, List.class, Duration.class)
                .invoke(null, world, List.of(rule), TIME);
    }

    private static List<?> simulate(Class<?> hunt, String rule, String stores) throws ReflectiveOperationException {
        return (List<?>) hunt.getMethod("simulate", List.class, String.class, int.class)
                .invoke(null, List.of(rule), stores, HISTORIES);
    }
}
