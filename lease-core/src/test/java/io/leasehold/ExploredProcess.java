package io.leasehold;

import io.leasehold.ExploredEmission.Begun;
import io.leasehold.ExploredEmission.Broken;
import io.leasehold.ExploredEmission.Listed;
import io.leasehold.ExploredEmission.Vouched;
import io.leasehold.ExplorerWorld.Allowance;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.file.FileRequest;
import io.leasehold.file.FileRequest.Answer;
import io.leasehold.file.RequestedFiles;
import io.leasehold.file.SimulatedFiles.Operation;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * One run of one process: the shipped election and file stores, on this thread alone. It is a function of its inputs. Where
 * they end in the middle of a step or a commit, the run is over, and what could be seen of the process was noted before.
 */
final class ExploredProcess implements Executor {
    /** Ends a run that has no more inputs. */
    private static final class Paused extends Error {
        private static final long serialVersionUID = 1L;

        Paused() {
            super("paused", null, false, false);
        }
    }

    /** Which process it is, which of its starts, and what its clock showed then. */
    record Birth(int process, int start, long atNs) {
        String holder() {
            return ExplorerEvent.name(process) + "." + start;
        }
    }

    private static final long WALL_CLOCK_MS = 1_764_547_200_000L;

    private final boolean powerFails;
    private final LeaseSettings settings;
    private final List<ExploredReply> replies;
    private final ExploredNames names;
    private final SimulatedClock clock = new SimulatedClock(0, WALL_CLOCK_MS, 0, () -> {});
    private final LeaseMemory memory;
    private final ListenerCalls listeners = new ListenerCalls();
    private final @Nullable StateStore stateStore;
    private final LeaseElection election;
    private final ExploredWork work = new ExploredWork(this);
    private final Deque<ExploredInput> script = new ArrayDeque<>();
    private final Deque<Runnable> calls = new ArrayDeque<>();
    private final List<ExploredEmission> emissions = new ArrayList<>();
    private @Nullable FileRequest before;
    private @Nullable ExploredView paused;
    private boolean woken = true;
    private long dueAtNs;
    private int commits;

    /** A process as it is right after its start. */
    ExploredProcess(ExplorerWorld world, Birth birth, List<ExploredReply> replies) {
        this.powerFails = world.allowed.containsKey(Allowance.POWER_FAILURES);
        this.settings = world.settings.get(birth.process());
        this.replies = replies;
        this.names = new ExploredNames(birth.process(), birth.start());
        this.memory = new LeaseMemory(settings.ttl());
        clock.advance(birth.atNs());
        RequestedFiles files = new RequestedFiles(this::answer);
        stateStore = world.withState
                ? new VouchingStateStore(files.stateStore(ExplorerWorld.STATE, ExplorerWorld.NAME), this::begun)
                : null;
        listeners.add(work);
        LeaseContext context = new LeaseContext(
                settings,
                birth.holder(),
                files.leaseStore(ExplorerWorld.LEASE, ExplorerWorld.NAME),
                stateStore,
                clock,
                memory,
                new LeaseCounters(),
                listeners,
                new Observers(),
                this);
        election = new LeaseElection(context, () -> woken = true);
    }

    /** Lets things happen, in order. A run that ended in the middle of something takes no more. */
    void run(List<ExploredInput> inputs) {
        script.addAll(inputs);
        try {
            for (ExploredInput next = next(); next != null; next = next()) {
                happens(next);
            }
        } catch (Paused e) {
            Objects.requireNonNull(paused);
        }
    }

    /** Of what the process does, only what it does upon its last input is of interest. */
    private @Nullable ExploredInput next() {
        ExploredInput next = script.poll();
        if (next != null && script.isEmpty()) {
            emissions.clear();
        }
        return next;
    }

    private void happens(ExploredInput input) {
        switch (input.kind()) {
            case TICK -> clock.advance(ExplorerWorld.TICK.toNanos());
            case MOMENT -> clock.advance(ExplorerWorld.MOMENT.toNanos());
            case STEP -> step();
            case COMMIT -> commit();
            case HEARS -> throw new IllegalStateException("Nothing waits for an answer");
            case WORK_STOPS -> calls.remove().run();
            case GUARD -> election.enforce();
            case STEP_DOWN -> election.stepDown();
        }
        beginWork();
    }

    /** The work begins as soon as a listener is told of a term, in the same breath; that it stops is told separately. */
    private void beginWork() {
        while (!calls.isEmpty() && !work.isTold()) {
            calls.remove().run();
        }
    }

    private void step() {
        woken = false;
        long inNs = LeaseElection.NEVER;
        try {
            inNs = election.step();
        } catch (RuntimeException e) {
            broken(Rule.STEPS_RETURN, "a step ended with " + e);
        }
        before = null;
        dueAtNs = inNs == LeaseElection.NEVER ? LeaseElection.NEVER : clock.monotonicNs() + inNs;
    }

    private void commit() {
        Lease lease = Objects.requireNonNull(election.lease());
        try {
            lease.state().commit(lease.epoch() + "." + ++commits, "x");
        } catch (NotHolderException | StateFenceException | StateStoreException refused) {
            woken |= refused instanceof StateFenceException;
        }
        before = null;
    }

    /** The write of a commit runs where the commit waits for it; a call of a listener waits for its turn. */
    @Override
    public void execute(Runnable task) {
        if (task instanceof CompletableFuture.AsynchronousCompletionTask) {
            calls.add(task);
        } else {
            task.run();
        }
    }

    /** Keeps a step or a commit waiting until its request is answered; other things happen meanwhile. */
    private Answer answer(FileRequest asked) throws IOException {
        if (paused != null) {
            throw new Paused();
        }
        FileRequest request = names.outside(asked);
        beginWork();
        work.looksAt(request);
        FileRequest previous = before;
        before = request;
        for (ExploredInput next = next(); next != null; next = next()) {
            if (next.kind() == ExploredInput.Kind.HEARS) {
                if (looksAfterAWrite(previous, request)) {
                    emissions.add(new Listed());
                }
                Answer answer = replies.get(next.reply()).to(request);
                return new Answer(answer.names(), names.inside(answer.text()));
            }
            happens(next);
        }
        paused = look(request, isDoneAtOnce(previous, request));
        throw new Paused();
    }

    /**
     * Whether a pause before a request can as well be one before the next request: where nobody else sees what it does or
     * changes what it shows, and no clock is read in between. After a listing the process judges what it saw.
     */
    private boolean isDoneAtOnce(@Nullable FileRequest previous, FileRequest request) {
        boolean judges = previous != null
                && previous.operation() == Operation.LIST
                && previous.path().equals(request.path().getParent());
        boolean isCleanedUp = ExplorerWorld.STATE.equals(request.path().getParent());
        return (request.concernsATemporaryFile() && !isCleanedUp)
                || (request.readsTheMarker() && !judges)
                || (request.operation() == Operation.SYNC && !powerFails);
    }

    private static boolean looksAfterAWrite(@Nullable FileRequest previous, FileRequest request) {
        return previous != null
                && previous.operation() == Operation.SYNC
                && request.operation() == Operation.LIST
                && request.path().equals(ExplorerWorld.STATE);
    }

    private VouchingStateStore.Vouched begun(long epoch, boolean opens) {
        emissions.add(new Begun(epoch));
        return keys -> {
            if (paused == null) {
                emissions.add(new Vouched(epoch, opens, Set.copyOf(keys)));
            }
        };
    }

    void broken(Rule rule, String what) {
        if (paused == null) {
            emissions.add(new Broken(rule, what));
        }
    }

    /** What it did upon its last input. */
    List<ExploredEmission> emissions() {
        return List.copyOf(emissions);
    }

    /** Whether it is in the middle of nothing, and can take more. */
    boolean isQuiet() {
        return paused == null;
    }

    ExploredView view() {
        return paused == null ? look(null, false) : paused;
    }

    private ExploredView look(@Nullable FileRequest request, boolean atOnce) {
        Lease lease = election.lease();
        boolean holds = lease != null && !lease.remaining().isZero();
        boolean surrenders = lease != null && lease.reason() != null;
        boolean idle = request == null;
        return new ExploredView(
                lease != null && holds ? lease.epoch() : 0,
                lease == null ? 0 : lease.epoch(),
                memory.longestTtl(),
                request,
                atOnce,
                idle && (woken || dueAtNs - clock.monotonicNs() <= 0),
                idle && holds && stateStore != null && work.isGoingOn(),
                idle && !calls.isEmpty(),
                holds && !surrenders,
                !idle && lease != null && !surrenders && !holds);
    }

    /** All that its future depends on, while it is quiet. */
    String digest() {
        return new GraphDigest(this::isLeftOut, names::outside)
                        .add(election)
                        .add(memory)
                        .add(listeners)
                        .add(work.state())
                        .toString()
                + names.given()
                + ' '
                + woken
                + ' '
                + dueAtNs
                + ' '
                + commits
                + ' '
                + calls.size()
                + ' '
                + clock.monotonicNs();
    }

    private boolean isLeftOut(Object object) {
        return object instanceof ExploredProcess
                || object instanceof ExploredWork
                || object instanceof LeaseSettings
                || object instanceof LeaseClock
                || object instanceof LeaseCounters
                || object instanceof Observers
                || object instanceof RequestedFiles
                || object instanceof VouchingStateStore.Witness
                || object instanceof ThreadLocal;
    }
}
