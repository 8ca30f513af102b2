package io.leasehold;

import io.leasehold.ExploredHistories.History;
import io.leasehold.ExploredHistories.Step;
import io.leasehold.ExploredProcess.Birth;
import io.leasehold.ExploredState.Change;
import io.leasehold.ExplorerEvent.Kind;
import io.leasehold.ExplorerJudge.Verdict;
import io.leasehold.ExplorerWorld.Allowance;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.SimulationChecks.Violation;
import io.leasehold.file.FileRequest;
import io.leasehold.file.SimulatedDisk;
import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.file.SimulatedFiles.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that can happen next in a world, and what has to hold after it. The smallest thing that happens is one operation on
 * files, or one tick of all clocks; a process can be paused before each of them for as long as one likes.
 *
 * <p>Only operations that commute with all that others do (on temporary files, say) are done without a pause before them.
 */
final class Explorer {
    /** Something that can happen: what comes of it, whether a rule is broken, and how unusual it is. */
    record Successor(
            ExplorerEvent event,
            ExploredState state,
            @Nullable Violation violation,
            int cost) {}

    private static final List<Allowance> INCIDENTS =
            List.of(Allowance.EMPTIED, Allowance.RESTORED, Allowance.GARBLED, Allowance.SEGMENT_GARBLED);
    private static final List<Outcome> SUCCESS = List.of(Outcome.SUCCEEDS);
    private static final List<Outcome> FAILURE = List.of(Outcome.SUCCEEDS, Outcome.FAILS);
    private static final List<Outcome> UNKNOWN =
            List.of(Outcome.SUCCEEDS, Outcome.FAILS, Outcome.LOSES_ITS_REPLY, Outcome.LANDS_LATER);

    private final ExplorerWorld world;
    private final int processes;
    private final ExploredDisks disks = new ExploredDisks();
    private final ExploredHistories histories;
    private final ExplorerJudge judge = new ExplorerJudge();
    private final Map<Integer, Long> sealed = new HashMap<>();

    Explorer(ExplorerWorld world) {
        this.world = world;
        this.processes = world.settings.size();
        this.histories = new ExploredHistories(world, disks.replies());
    }

    /** All processes have just started. */
    ExploredState begin() {
        Change begun =
                ExploredState.begin(disks.installed(), judge.begin(), processes).change();
        for (int i = 0; i < processes; i++) {
            begun.process(i, histories.born(new Birth(i, 0, 0L)).number());
        }
        return begun.done();
    }

    /** How much of the shipped code was run. */
    String effort() {
        return histories.size() + " states of single processes (" + histories.effort() + "), " + disks.size()
                + " states of the storage";
    }

    /** The highest epoch that was held in any history. */
    long highestHeld() {
        return judge.highestHeld();
    }

    /** What an event reads like in a schedule. */
    String describe(ExploredState before, ExplorerEvent event) {
        int process = before.process(event.process());
        return event.describe(process == ExploredState.DOWN ? histories.get(0).view() : view(before, event.process()));
    }

    /** Everything that can happen next. */
    List<Successor> successors(ExploredState at) {
        List<Successor> found = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            if (at.process(i) != ExploredState.DOWN && goesOnAtOnce(at, i, found)) {
                return found;
            }
        }
        if (at.tick() < world.ticks) {
            found.add(timePasses(at, ExploredInput.Kind.TICK));
        }
        if (may(at, Allowance.MOMENTS)) {
            found.add(timePasses(at, ExploredInput.Kind.MOMENT));
        }
        for (int i = 0; i < processes; i++) {
            if (at.process(i) == ExploredState.DOWN) {
                found.add(start(at, i));
            } else {
                processGoesOn(at, i, found);
            }
        }
        environment(at, found);
        return found;
    }

    private boolean goesOnAtOnce(ExploredState at, int process, List<Successor> found) {
        ExploredView view = view(at, process);
        if (view.request() != null && view.atOnce()) {
            hears(at, process, view.request(), found);
            return true;
        }
        return false;
    }

    private void processGoesOn(ExploredState at, int process, List<Successor> found) {
        ExploredView view = view(at, process);
        if (view.request() != null) {
            hears(at, process, view.request(), found);
        }
        if (view.mayStep()) {
            found.add(does(at, new ExplorerEvent(Kind.STEPS, process), ExploredInput.Kind.STEP, null));
        }
        if (view.mayCommit() && may(at, Allowance.COMMITS)) {
            found.add(does(at, new ExplorerEvent(Kind.COMMITS, process), ExploredInput.Kind.COMMIT, Allowance.COMMITS));
        }
        if (view.mayStop()) {
            found.add(does(at, new ExplorerEvent(Kind.WORK_STOPS, process), ExploredInput.Kind.WORK_STOPS, null));
        }
        if (view.mayGuard()) {
            found.add(does(at, new ExplorerEvent(Kind.GUARD, process), ExploredInput.Kind.GUARD, null));
        }
        if (view.mayStepDown() && may(at, Allowance.STEP_DOWNS)) {
            found.add(does(
                    at,
                    new ExplorerEvent(Kind.STEPS_DOWN, process),
                    ExploredInput.Kind.STEP_DOWN,
                    Allowance.STEP_DOWNS));
        }
        if (may(at, Allowance.CRASHES)) {
            Change change = at.change().spend(Allowance.CRASHES.slot);
            crash(at, change, process);
            found.add(new Successor(new ExplorerEvent(Kind.CRASHES, process), change.done(), null, 1));
        }
    }

    private void hears(ExploredState at, int process, FileRequest request, List<Successor> found) {
        for (Outcome outcome : outcomes(at, request)) {
            ExploredDisks.Done done = disks.after(at.disk(), request, outcome);
            Change change = at.change().disk(done.disk());
            int cost = pauseCost(at, process);
            if (outcome != Outcome.SUCCEEDS) {
                change.spend((request.reads() ? Allowance.FAILED_READS : Allowance.FAILED_WRITES).slot);
                cost++;
            }
            ExplorerEvent event = new ExplorerEvent(Kind.HEARS, process, outcome.name());
            found.add(follow(at, change, event, new ExploredInput(ExploredInput.Kind.HEARS, done.reply()), cost));
        }
    }

    private List<Outcome> outcomes(ExploredState at, FileRequest request) {
        if (!may(at, request.reads() ? Allowance.FAILED_READS : Allowance.FAILED_WRITES)) {
            return SUCCESS;
        }
        boolean unknown = request.operation() == Operation.LINK || request.operation() == Operation.MOVE;
        return unknown ? UNKNOWN : FAILURE;
    }

    private Successor does(
            ExploredState at, ExplorerEvent event, ExploredInput.Kind input, @Nullable Allowance allowance) {
        Change change = at.change();
        if (allowance != null) {
            change.spend(allowance.slot);
        }
        return follow(at, change, event, new ExploredInput(input), pauseCost(at, ExploredState.NOBODY));
    }

    /** A process takes an input, and all that it does is judged. */
    private Successor follow(ExploredState at, Change change, ExplorerEvent event, ExploredInput input, int cost) {
        int process = event.process();
        History before = histories.get(at.process(process));
        Step step = histories.after(before, input);
        change.process(process, step.next().number());
        if (event.kind() == Kind.STEPS) {
            change.asleep(process, false);
        }
        change.goingOn(goesOn(event, step.next().view()) ? process : ExploredState.NOBODY);
        Verdict verdict = judge.after(at.checks(), process, before.view(), step, sealed(at.disk()));
        ExploredState next = change.checks(verdict.checks()).done();
        Violation violation = verdict.violation();
        return new Successor(event, next, violation == null ? oneHolder(next) : violation, cost);
    }

    private static boolean goesOn(ExplorerEvent event, ExploredView view) {
        boolean own = event.kind() == Kind.STEPS || event.kind() == Kind.COMMITS || event.kind() == Kind.HEARS;
        return own && view.request() != null;
    }

    private @Nullable Violation oneHolder(ExploredState at) {
        List<String> holders = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            if (at.process(i) != ExploredState.DOWN && view(at, i).heldEpoch() != 0) {
                holders.add(ExplorerEvent.name(i) + " epoch " + view(at, i).heldEpoch());
            }
        }
        return holders.size() > 1 ? new Violation(Rule.ONE_HOLDER, holders + " are held at once") : null;
    }

    /** Time goes on for everybody at once. */
    private Successor timePasses(ExploredState at, ExploredInput.Kind howMuch) {
        boolean tick = howMuch == ExploredInput.Kind.TICK;
        Change change = at.change().goingOn(ExploredState.NOBODY);
        change = tick ? change.tick() : change.spend(Allowance.MOMENTS.slot);
        Violation violation = null;
        int cost = pauseCost(at, ExploredState.NOBODY);
        for (int i = 0; i < processes; i++) {
            if (at.process(i) != ExploredState.DOWN) {
                History before = histories.get(at.process(i));
                if (before.view().mayStep() && !at.isAsleep(i)) {
                    change.asleep(i, true);
                    cost++;
                }
                Step step = histories.after(before, new ExploredInput(howMuch));
                change.process(i, step.next().number());
                if (step.next().view().heldEpoch() != 0 && before.view().heldEpoch() == 0) {
                    violation = new Violation(Rule.A_TERM_NEVER_COMES_BACK, ExplorerEvent.name(i) + " by time alone");
                }
            }
        }
        return new Successor(new ExplorerEvent(tick ? Kind.TICK : Kind.MOMENT, 0), change.done(), violation, cost);
    }

    private Successor start(ExploredState at, int process) {
        int starts = Allowance.values().length + process;
        long nowNs = at.tick() * ExplorerWorld.TICK.toNanos()
                + at.spent(Allowance.MOMENTS.slot) * ExplorerWorld.MOMENT.toNanos();
        Birth birth = new Birth(process, at.spent(starts) + 1, nowNs);
        Change change = at.change()
                .spend(starts)
                .process(process, histories.born(birth).number())
                .goingOn(ExploredState.NOBODY);
        return new Successor(
                new ExplorerEvent(Kind.STARTS, process), change.done(), null, pauseCost(at, ExploredState.NOBODY));
    }

    private void crash(ExploredState at, Change change, int process) {
        change.process(process, ExploredState.DOWN)
                .asleep(process, false)
                .goingOn(ExploredState.NOBODY)
                .checks(judge.crashed(at.checks(), process));
    }

    /** What happens to the storage. */
    private void environment(ExploredState at, List<Successor> found) {
        ExploredDisks.Disk disk = disks.get(at.disk());
        for (int i = 0; i < disk.underWay().size(); i++) {
            Change change = at.change().disk(disks.landed(at.disk(), i)).goingOn(ExploredState.NOBODY);
            found.add(new Successor(
                    new ExplorerEvent(Kind.LANDS, 0, String.valueOf(i)),
                    change.done(),
                    null,
                    pauseCost(at, ExploredState.NOBODY)));
        }
        if (may(at, Allowance.POWER_FAILURES)) {
            powerFails(at, found);
        }
        for (Allowance incident : INCIDENTS) {
            if (may(at, incident) && world.canHappen(incident, at, this)) {
                int changed = disks.changed(at.disk(), files -> world.happens(incident, files));
                Change change = at.change().disk(changed).spend(incident.slot).goingOn(ExploredState.NOBODY);
                found.add(new Successor(new ExplorerEvent(Kind.INCIDENT, 0, incident.name()), change.done(), null, 1));
            }
        }
    }

    private void powerFails(ExploredState at, List<Successor> found) {
        int left = at.checks();
        for (int i = 0; i < processes; i++) {
            left = judge.crashed(left, i);
        }
        int way = 0;
        for (int disk : disks.afterPowerFailure(at.disk())) {
            Change change = at.change()
                    .spend(Allowance.POWER_FAILURES.slot)
                    .goingOn(ExploredState.NOBODY)
                    .checks(left)
                    .disk(disk);
            for (int i = 0; i < processes; i++) {
                change.process(i, ExploredState.DOWN).asleep(i, false);
            }
            found.add(new Successor(
                    new ExplorerEvent(Kind.POWER_FAILS, 0, String.valueOf(way++)), change.done(), null, 1));
        }
    }

    ExploredView view(ExploredState at, int process) {
        return histories.get(at.process(process)).view();
    }

    SimulatedDisk files(ExploredState at) {
        return disks.get(at.disk()).files();
    }

    private boolean may(ExploredState at, Allowance what) {
        return at.spent(what.slot) < world.allowed.getOrDefault(what, 0);
    }

    /** Whoever was in the middle of something is paused when something else happens. */
    private static int pauseCost(ExploredState at, int whoever) {
        return at.goingOn() == ExploredState.NOBODY || at.goingOn() == whoever ? 0 : 1;
    }

    private long sealed(int disk) {
        return sealed.computeIfAbsent(disk, d -> disks.get(d).files().highestEpoch(ExplorerWorld.STATE));
    }
}
