package io.leasehold;

import io.leasehold.SimulatedTasks.Task;
import io.leasehold.SimulationChecks.Rule;
import io.leasehold.SimulationFigures.Happening;
import io.leasehold.file.SimulatedFiles;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateStore;
import io.leasehold.state.StateStoreException;
import io.leasehold.store.LeaseStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A process on a simulated host: the shipped election and stores, its tasks, and what it remembers until it crashes. */
final class SimulatedProcess implements Executor {
    private static final int MOST_TERMS_KEPT = 6;

    private final Simulation simulation;
    private final String name;
    private final LeaseSettings settings;
    private final SimulatedHost host;
    private final LeaseMemory memory;
    private final LeaseCounters counters = new LeaseCounters();
    private final ListenerCalls listeners = new ListenerCalls();
    private final RecordingLeaseStore leaseStore;
    private final @Nullable StateStore stateStore;
    private final List<SimulatedWork> works = new ArrayList<>();
    private final List<SimulatedContender> contenders = new ArrayList<>();
    private final List<Task> tasks = new ArrayList<>();
    private final List<Lease> terms = new ArrayList<>();
    private final Set<Long> committing = new HashSet<>();
    private final Set<Task> beginCommit = new HashSet<>();
    private boolean dead;

    SimulatedProcess(Simulation simulation, String name, LeaseSettings settings, SimulatedHost host) {
        this.simulation = simulation;
        this.name = name;
        this.settings = settings;
        this.host = host;
        this.memory = new LeaseMemory(settings.ttl());
        leaseStore = new RecordingLeaseStore(this, newLeaseStore());
        StateStore states = simulation.scenario().withState ? newStateStore() : null;
        stateStore = states == null
                ? null
                : new VouchingStateStore(
                        states, (epoch, opens) -> checks().begun(name, epoch, opens, simulation.highestSealed()));
        for (int i = 0; i < simulation.scenario().listeners; i++) {
            SimulatedWork work = new SimulatedWork(this);
            works.add(work);
            listeners.add(work);
        }
    }

    private LeaseStore newLeaseStore() {
        HostConditions conditions = new HostConditions(this, host);
        return simulation.scenario().onServer
                ? simulation.server().leases(simulation.leasePath().resolve("1.json"), conditions)
                : new SimulatedFiles(simulation.disk(), conditions).leaseStore(simulation.leasePath(), "orders");
    }

    private StateStore newStateStore() {
        HostConditions conditions = new HostConditions(this, host);
        return simulation.scenario().onServer
                ? simulation.server().states(simulation.statePath().resolve("1.json"), conditions)
                : new SimulatedFiles(simulation.disk(), conditions).stateStore(simulation.statePath(), "orders");
    }

    /** Begins to contend, as another holder than ever before. */
    void start() {
        contenders.add(new SimulatedContender(
                this,
                new LeaseContext(
                        settings,
                        HolderIds.newHolderId(settings.holderPrefix()),
                        leaseStore,
                        stateStore,
                        host.clock(),
                        memory,
                        counters,
                        listeners,
                        new Observers(),
                        this)));
    }

    Simulation simulation() {
        return simulation;
    }

    SimulationChecks checks() {
        return simulation.checks();
    }

    SimulatedClock clock() {
        return host.clock();
    }

    SimulatedHost host() {
        return host;
    }

    LeaseSettings settings() {
        return settings;
    }

    LeaseCounters counters() {
        return counters;
    }

    List<SimulatedContender> contenders() {
        return contenders;
    }

    SimulatedContender newest() {
        return contenders.get(contenders.size() - 1);
    }

    /** Whether it may be between its look at the lease and the end of its claim. */
    boolean mayBeClaiming() {
        return (!dead && leaseStore.hasUnsettledClaim())
                || contenders.stream()
                        .anyMatch(c -> c.isStepping() && c.election().phase() == LeasePhase.STANDBY);
    }

    /**
     * Whether it waits for a person to repair a marker or a segment. Only an exclusive create, without links, can be torn.
     */
    boolean findsATornFile() {
        LeaseStatus status = newest().election().status();
        return (status.stateFailure() + status.lastFailure()).contains("cannot be understood");
    }

    boolean isWorkGoingOn(long epoch) {
        return works.stream().anyMatch(work -> work.isGoingOn(epoch));
    }

    boolean isCommitting(Lease lease) {
        return committing.contains(lease.epoch());
    }

    void pause() {
        simulation.tasks().pause();
    }

    void await() {
        simulation.tasks().yieldNow();
    }

    List<Task> tasks() {
        return tasks;
    }

    /** Begins a task, one in so many of which is slow. */
    Task task(String what, int oneIsSlow, Runnable body) {
        Task task = new Task(name + " " + what, simulation.random().nextInt(oneIsSlow) == 0, body);
        tasks.add(task);
        return task;
    }

    /** Begins the steps that are due. */
    void beginSteps() {
        for (SimulatedContender contender : contenders) {
            if (contender.isDue()) {
                contender.beginStep();
            }
        }
        contenders.removeIf(c -> c != newest() && c.election().phase() == LeasePhase.CLOSED);
    }

    /** The write of a commit runs where the commit waits for it; all else is a task of its own. */
    @Override
    public void execute(Runnable work) {
        if (dead) {
            return;
        }
        Task current = simulation.tasks().current();
        boolean isCall = work instanceof CompletableFuture.AsynchronousCompletionTask;
        if (current != null && !isCall && beginCommit.remove(current)) {
            work.run();
        } else {
            task("call", 16, work);
        }
    }

    /** What the guard does, and what anyone may ask; returns whether a term is held. */
    boolean look() {
        boolean held = false;
        for (SimulatedContender contender : contenders) {
            Lease lease = contender.election().lease();
            if (lease == null) {
                continue;
            }
            if (!host.isFrozen()) {
                contender.election().enforce();
            }
            held |= checks().isHeld(name, lease, host.isFrozen());
            if (terms.isEmpty() || terms.get(terms.size() - 1) != lease) {
                terms.add(lease);
                if (terms.size() > MOST_TERMS_KEPT) {
                    terms.remove(0);
                }
            }
        }
        return held;
    }

    /** Work of a current term, or of one that was over long ago, commits one more entry. */
    void beginCommit() {
        if (stateStore == null || terms.isEmpty()) {
            return;
        }
        int back = simulation.random().nextInt(4) == 0 ? simulation.random().nextInt(terms.size()) : 0;
        Lease lease = terms.get(terms.size() - 1 - back);
        if (committing.add(lease.epoch())) {
            if (lease.remaining().isZero()) {
                simulation.figures().count(Happening.COMMIT_AFTER_ITS_TERM);
            }
            String key = simulation.nextKey();
            task("commit " + key + " in epoch " + lease.epoch(), 2, () -> commit(lease, key));
        }
    }

    private void commit(Lease lease, String key) {
        Task current = Objects.requireNonNull(simulation.tasks().current());
        try {
            beginCommit.add(current);
            lease.state().commit(key, String.valueOf(lease.epoch()));
            checks().acknowledged(name, key);
            simulation.trace("%s: %s acknowledged in epoch %s", name, key, lease.epoch());
        } catch (NotHolderException | StateFenceException | StateStoreException e) {
            simulation.trace(
                    "%s: %s in epoch %s refused, %s",
                    name, key, lease.epoch(), e.getClass().getSimpleName());
        } catch (RuntimeException e) {
            checks().violated(Rule.STEPS_RETURN, name + " commits: " + e);
        } finally {
            beginCommit.remove(current);
            committing.remove(lease.epoch());
        }
    }

    /** What listeners do when they are called: return at once, late or after ages, or throw. */
    void listenerIsCalled(String call) {
        simulation.trace("%s: listener %s", name, call);
        switch (simulation.isCalm() ? 0 : simulation.random().nextInt(12)) {
            case 0 -> pause();
            case 1 -> listenerIsLate(settings.ttl().toNanos() / 4);
            case 2 -> listenerIsLate(3 * settings.ttl().toNanos());
            case 3 -> {
                simulation.figures().count(Happening.LISTENER_FAILED);
                throw new IllegalStateException("simulated failure of a listener");
            }
            default -> simulation.trace("%s: listener returns at once", name);
        }
    }

    private void listenerIsLate(long atMostNs) {
        simulation.figures().count(Happening.LISTENER_LATE);
        simulation.time().stall(simulation.random().nextLong(atMostNs));
    }

    /** Ends the process where it is; what it had asked the storage for may still happen. */
    void crash(long restartAfterNs) {
        dead = true;
        host.restartAt(simulation.time().nowNs() + restartAfterNs);
        tasks.forEach(simulation.tasks()::kill);
        tasks.clear();
        contenders.clear();
        terms.clear();
    }

    boolean isLeading() {
        return isIn(LeasePhase.HOLDING);
    }

    /** Whether a term is draining, or may drain from its beginning because its claim takes long or the lease was closed. */
    boolean mayDrain() {
        return isIn(LeasePhase.DRAINING)
                || mayBeClaiming()
                || contenders.stream()
                        .map(SimulatedContender::election)
                        .anyMatch(election -> election.isClosing() && election.phase() != LeasePhase.CLOSED);
    }

    private boolean isIn(LeasePhase phase) {
        return contenders.stream().anyMatch(contender -> contender.election().phase() == phase);
    }

    /** Whether it can take over from an epoch after no more than that one's ttl. */
    boolean isHot(long epoch) {
        return !dead && memory.highestEpoch() <= epoch;
    }

    boolean isDead() {
        return dead;
    }

    @Override
    public String toString() {
        return name;
    }
}
