package io.leasehold;

import io.leasehold.ExploredEmission.Begun;
import io.leasehold.ExploredEmission.Broken;
import io.leasehold.ExploredEmission.Vouched;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.SimulationChecks.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of a history to judge what comes. Immutable: two histories with equal checks are judged alike.
 *
 * @param highestHeld the highest epoch that was ever held
 * @param acknowledged every acknowledged key, with its epoch
 * @param opened what each epoch's open handed out
 * @param underWay what the open or the write that a process is in the middle of has to contain
 */
record ExplorerChecks(
        long highestHeld, Map<String, Long> acknowledged, Map<Long, Set<String>> opened, Map<Integer, Start> underWay) {

    /**
     * An open or a write.
     *
     * @param acknowledged the keys that were acknowledged when it began, or when it listed the segments after its write
     * @param fenced whether a higher epoch was sealed when it began
     */
    record Start(Set<String> acknowledged, boolean fenced) {}

    /** How a history goes on: with other checks, or with a violation. */
    record Judged(ExplorerChecks checks, @Nullable Violation violation) {}

    static final ExplorerChecks NONE = new ExplorerChecks(0, Map.of(), Map.of(), Map.of());

    /** A process finds a lease held that it did not find held before. */
    Judged held(String process, ExploredView before, long epoch) {
        String what = process + " holds epoch " + epoch;
        if (before.termEpoch() == epoch && before.heldEpoch() != epoch) {
            return violated(Rule.A_TERM_NEVER_COMES_BACK, what + " again, after its term was over");
        } else if (epoch == highestHeld) {
            return violated(Rule.AN_EPOCH_IS_HELD_ONCE, what + ", which was held before");
        } else if (epoch < highestHeld) {
            return violated(Rule.EPOCHS_RISE, what + " after epoch " + highestHeld);
        }
        return new Judged(new ExplorerChecks(epoch, acknowledged, opened, underWay), null);
    }

    /** A process did something; so high was the highest sealed epoch then. */
    Judged after(String name, int process, ExploredEmission emission, long sealed) {
        if (emission instanceof Broken broken) {
            return violated(broken.rule(), name + ": " + broken.what());
        } else if (emission instanceof Begun begun) {
            Map<Integer, Start> next = new HashMap<>(underWay);
            next.put(process, new Start(acknowledged.keySet(), sealed > begun.epoch()));
            return new Judged(next(acknowledged, opened, next), null);
        }
        return emission instanceof Vouched vouched ? vouched(name, process, vouched) : listed(process);
    }

    /** What was acknowledged before a listing that shows nothing higher has to be in what is vouched for after it. */
    private Judged listed(int process) {
        Map<Integer, Start> next = new HashMap<>(underWay);
        next.computeIfPresent(process, (p, start) -> new Start(acknowledged.keySet(), start.fenced));
        return new Judged(next(acknowledged, opened, next), null);
    }

    private Judged vouched(String name, int process, Vouched vouched) {
        long epoch = vouched.epoch();
        Map<Integer, Start> rest = new HashMap<>(underWay);
        Start start = rest.remove(process);
        if (start == null) {
            throw new IllegalStateException(name + " ends what it has not begun");
        }
        Set<String> required = new HashSet<>(start.acknowledged);
        acknowledged.forEach((key, in) -> {
            if (in <= epoch) {
                required.add(key);
            }
        });
        Set<String> lost = lost(required, vouched.keys());
        String what = name + (vouched.opened() ? " opens epoch " : " commits in epoch ") + epoch;
        if (!lost.isEmpty()) {
            return violated(Rule.COMMITS_ARE_KEPT, what + ": a state without " + lost);
        } else if (vouched.opened()) {
            Map<Long, Set<String>> nextOpened = new TreeMap<>(opened);
            nextOpened.put(epoch, vouched.keys());
            return new Judged(next(acknowledged(vouched), nextOpened, rest), null);
        } else if (start.fenced) {
            return violated(Rule.A_SEAL_FENCES, what + ", begun after a higher epoch was sealed");
        }
        for (Map.Entry<Long, Set<String>> higher : opened.entrySet()) {
            Set<String> missing = lost(vouched.keys(), higher.getValue());
            if (higher.getKey() > epoch && !missing.isEmpty()) {
                return violated(
                        Rule.COMMITS_ARE_KEPT,
                        what + " what epoch " + higher.getKey() + " was opened without: " + missing);
            }
        }
        return new Judged(next(acknowledged(vouched), opened, rest), null);
    }

    /** A process is gone, with all that it was in the middle of. */
    ExplorerChecks crashed(int process) {
        Map<Integer, Start> rest = new HashMap<>(underWay);
        rest.remove(process);
        return next(acknowledged, opened, rest);
    }

    private ExplorerChecks next(
            Map<String, Long> nextAcknowledged, Map<Long, Set<String>> nextOpened, Map<Integer, Start> rest) {
        return new ExplorerChecks(highestHeld, nextAcknowledged, nextOpened, Map.copyOf(rest));
    }

    private Map<String, Long> acknowledged(Vouched vouched) {
        Map<String, Long> next = new TreeMap<>(acknowledged);
        vouched.keys().forEach(key -> next.putIfAbsent(key, vouched.epoch()));
        return next;
    }

    private Judged violated(Rule rule, String what) {
        return new Judged(this, new Violation(rule, what));
    }

    private static Set<String> lost(Set<String> required, Set<String> keys) {
        Set<String> lost = new TreeSet<>(required);
        lost.removeAll(keys);
        return lost;
    }
}
