package io.leasehold.torture;

import io.leasehold.Requirements;
import java.io.IOException;
import java.util.List;
import java.util.Random;

/** What a run of these tests can be asked for, and what they need of the machine. */
final class Torture {
    /** How often the randomly chosen trouble is made. */
    static final String ROUNDS = "leasehold.torture.rounds";

    /** Repeats the choices of an earlier run; what the processes are doing meanwhile is theirs. */
    static final String SEED = "leasehold.torture.seed";

    /** How many times longer every ttl is, for a machine that is too busy for short ones. */
    static final String PACE = "leasehold.torture.pace";

    private Torture() {}

    static int pace() {
        return Integer.getInteger(PACE, 1);
    }

    static int rounds(int usual) {
        return Integer.getInteger(ROUNDS, usual);
    }

    /** The source of all choices of one scenario, whose seed is printed. */
    static Random random(String scenario) {
        long seed = Long.getLong(SEED, System.nanoTime());
        System.out.println("torture: " + scenario + ", -D" + SEED + "=" + seed);
        return new Random(seed);
    }

    static void requireSignals() throws IOException, InterruptedException {
        Requirements.require(
                Command.succeeds(
                        "kill", "-0", String.valueOf(ProcessHandle.current().pid())),
                "there is no kill, which stops and continues processes");
    }

    static void requireRoot() throws IOException, InterruptedException {
        Requirements.require(Command.succeeds("sh", "-c", "test \"$(id -u)\" = 0"), "only root can mount file systems");
    }

    static void requireTool(String reason, String... command) throws IOException, InterruptedException {
        Requirements.require(Command.succeeds(command), reason);
    }

    static List<String> withOpenFiles(int most) {
        return List.of("sh", "-c", "ulimit -n " + most + " && exec \"$@\"", "sh");
    }
}
