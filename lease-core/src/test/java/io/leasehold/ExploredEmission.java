package io.leasehold;

import io.leasehold.SimulationChecks.Rule;
import java.util.Set;

/** What a process did that others' states are judged by. */
interface ExploredEmission {

    /** It began to open the state of an epoch, or to write to it. */
    record Begun(long epoch) implements ExploredEmission {}

    /** It listed the segments after a write. */
    record Listed() implements ExploredEmission {}

    /** A state was handed out by an open, or acknowledged by a commit. */
    record Vouched(long epoch, boolean opened, Set<String> keys) implements ExploredEmission {}

    /** It broke a rule by itself. */
    record Broken(Rule rule, String what) implements ExploredEmission {}
}
