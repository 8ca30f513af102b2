package io.leasehold;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What has to hold in every history, unless its kind excuses it. The first violation counts. */
final class SimulationChecks {
    /** The rules. */
    enum Rule {
        ONE_HOLDER,
        AN_EPOCH_IS_HELD_ONCE,
        EPOCHS_RISE,
        A_TERM_NEVER_COMES_BACK,
        COMMITS_ARE_KEPT,
        A_SEAL_FENCES,
        CALLS_COME_IN_PAIRS,
        RELEASED_AFTER_THE_WORK,
        STEPS_RETURN,
        SOMEBODY_LEADS,
        A_HOT_STANDBY_TAKES_OVER
    }

    record Violation(Rule rule, String what) {}

    private static final class Looks {
        private final String process;
        private boolean led;
        private boolean over;

        Looks(String process) {
            this.process = process;
        }
    }

    private final IdentityHashMap<Lease, Looks> terms = new IdentityHashMap<>();
    private final Map<String, Long> acknowledged = new HashMap<>();
    private final NavigableMap<Long, Set<String>> opened = new TreeMap<>();
    private final Set<Long> led = new HashSet<>();
    private final Set<Rule> excused = EnumSet.noneOf(Rule.class);
    private final SimulationKind kind;
    private final SimulationFigures figures;
    private @Nullable Violation violation;
    private @Nullable String lastLeader;
    private long highestLed;

    SimulationChecks(SimulationKind kind, SimulationFigures figures) {
        this.kind = kind;
        this.figures = figures;
    }

    @Nullable
    Violation violation() {
        return violation;
    }

    void violated(Rule rule, String what) {
        if (kind.excuses(rule)) {
            if (excused.add(rule)) {
                figures.excused(rule);
            }
        } else if (violation == null) {
            violation = new Violation(rule, what);
        }
    }

    /** One look at one term; returns whether it is held. A frozen process cannot be asked, only looked at. */
    boolean isHeld(String process, Lease lease, boolean frozen) {
        Looks looks = terms.computeIfAbsent(lease, l -> new Looks(process));
        boolean held = frozen ? !lease.remaining().isZero() : lease.isHeld();
        if (!frozen && !held) {
            looks.over = true;
        }
        if (held && looks.over) {
            violated(Rule.A_TERM_NEVER_COMES_BACK, process + ", epoch " + lease.epoch());
        }
        if (held && !looks.led) {
            looks.led = true;
            began(looks, lease.epoch());
        }
        return held;
    }

    /** A term that was over stays over, also when the process leads again. */
    void lookBack() {
        terms.forEach((lease, looks) -> {
            if (looks.over && lease.isHeld()) {
                violated(Rule.A_TERM_NEVER_COMES_BACK, looks.process + ", epoch " + lease.epoch());
            }
        });
    }

    private void began(Looks looks, long epoch) {
        if (!led.add(epoch)) {
            violated(Rule.AN_EPOCH_IS_HELD_ONCE, looks.process + " leads with epoch " + epoch + " again");
        } else if (epoch < highestLed) {
            violated(Rule.EPOCHS_RISE, looks.process + " leads with epoch " + epoch + " after epoch " + highestLed);
        }
        highestLed = Math.max(highestLed, epoch);
        figures.terms++;
        if (lastLeader != null && !looks.process.equals(lastLeader)) {
            figures.takeovers++;
        }
        lastLeader = looks.process;
    }

    void oneHolder(Set<String> holders) {
        if (holders.size() > 1) {
            violated(Rule.ONE_HOLDER, holders + " lead at once");
        }
    }

    /** An open or a write began, when so high an epoch was sealed; what it comes to is compared with what was before. */
    VouchingStateStore.Vouched begun(String by, long epoch, boolean opens, long sealed) {
        Set<String> before = Set.copyOf(acknowledged.keySet());
        return keys -> {
            if (opens) {
                opened(by, epoch, before, keys);
            } else if (sealed > epoch) {
                violated(Rule.A_SEAL_FENCES, by + " commits in epoch " + epoch + " after " + sealed + " was sealed");
            } else {
                committed(by, epoch, before, keys);
            }
        };
    }

    /** A state was handed out: it has to contain all that was acknowledged before, and all of lower epochs. */
    private void opened(String by, long epoch, Set<String> before, Set<String> keys) {
        vouched(by + " opens epoch " + epoch, epoch, before, keys);
        opened.put(epoch, keys);
    }

    /** A state was acknowledged: the same, and what was opened with a higher epoch meanwhile has to contain it. */
    private void committed(String by, long epoch, Set<String> before, Set<String> keys) {
        vouched(by + " commits in epoch " + epoch, epoch, before, keys);
        opened.tailMap(epoch, false)
                .forEach((higher, found) ->
                        requireAll("epoch " + higher + ", opened before " + by + " heard", keys, found));
    }

    private void vouched(String by, long epoch, Set<String> before, Set<String> keys) {
        Set<String> required = new HashSet<>(before);
        acknowledged.forEach((key, in) -> {
            if (in <= epoch) {
                required.add(key);
            }
        });
        requireAll(by, required, keys);
        keys.forEach(key -> acknowledged.putIfAbsent(key, epoch));
    }

    private void requireAll(String by, Set<String> required, Set<String> keys) {
        if (!keys.containsAll(required)) {
            Set<String> lost = new TreeSet<>(required);
            lost.removeAll(keys);
            violated(Rule.COMMITS_ARE_KEPT, by + ": a state without " + lost);
        }
    }

    /** A commit returned normally. */
    void acknowledged(String by, String key) {
        if (!acknowledged.containsKey(key)) {
            violated(Rule.COMMITS_ARE_KEPT, by + ": " + key + " was acknowledged and is in no state");
        }
    }
}
