package io.leasehold;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on threads of their own, exactly one at a time: a task goes on when it is told to, until it pauses or ends. So
 * a whole history is a function of its seed. The threads are used again. Used by one thread, apart from {@link #pause()}.
 *
 * <p>Whoever pauses or ends chooses who goes on, on its own thread. Control changes threads only where a task that has paused
 * goes on after another: this costs more than most tasks do.
 */
final class SimulatedTasks implements AutoCloseable {
    /** Unwinds the task of a process that has crashed. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /** Decides which task goes on, whenever none does. */
    interface Choice {
        /** The next task; null to end. */
        @Nullable
        Task next();
    }

    /** A task that has not begun, is paused, or has ended. */
    static final class Task {
        private final String name;
        private final boolean slow;
        private final Runnable body;
        private @Nullable Worker worker;
        private boolean ended;
        private boolean killed;
        private int pausesPassed;

        Task(String name, boolean slow, Runnable body) {
            this.name = name;
            this.slow = slow;
            this.body = body;
        }

        /** Whether it is descheduled more often, and for longer, than others. */
        boolean isSlow() {
            return slow;
        }

        boolean hasEnded() {
            return ended;
        }

        /** Lets it pass so many places where it could be paused, once it goes on. */
        void passPauses(int number) {
            pausesPassed = number;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** Control over one thread, given to it by another. */
    private static final class Turn {
        private final Thread thread;
        private volatile boolean given;

        Turn(Thread thread) {
            this.thread = thread;
        }

        void give() {
            given = true;
            LockSupport.unpark(thread);
        }

        void await() {
            while (!given) {
                LockSupport.park(this);
            }
            given = false;
        }
    }

    /** What a task chose that was killed by its own choice; null, too, where nothing goes on. */
    private record LastChoice(@Nullable Task next) {}

    private final class Worker implements Runnable {
        private final Turn turn;
        private @Nullable Task task;

        Worker() {
            Thread thread = new Thread(this, "simulated");
            thread.setDaemon(true);
            turn = new Turn(thread);
            thread.start();
        }

        @Override
        public void run() {
            for (; ; ) {
                turn.await();
                Task begun = task;
                if (begun == null) {
                    return;
                }
                while (begun != null) {
                    begun = run(begun);
                }
            }
        }

        /** Runs a task to its end; returns the next one where it begins, and gives control away where it is another's. */
        private @Nullable Task run(Task begun) {
            try {
                begun.body.run();
            } catch (Killed e) {
                begun.killed = true;
            } catch (RuntimeException | Error e) {
                failure = e;
            }
            begun.ended = true;
            Task next = lastChoice != null ? lastChoice.next : choose();
            lastChoice = null;
            if (next != null && next.worker == null) {
                begin(next, this);
                return next;
            }
            idle.push(this);
            give(next);
            return null;
        }
    }

    private final Deque<Worker> idle = new ArrayDeque<>();
    private Turn home = new Turn(Thread.currentThread());
    private Choice choice = () -> null;
    private @Nullable Task current;
    /** The task whose stack is below whoever has control: the current one, or the one that chooses. */
    private @Nullable Task lowest;

    private @Nullable LastChoice lastChoice;
    private @Nullable Throwable failure;

    /** The task that runs now; null while one is chosen. */
    @Nullable
    Task current() {
        return current;
    }

    /** Lets a task go on until it ends or pauses once more than it may pass. */
    void run(Task task, int pausesPassed) {
        task.passPauses(pausesPassed);
        Iterator<Task> once = List.of(task).iterator();
        runAll(() -> once.hasNext() ? once.next() : null);
    }

    /** Lets tasks go on, one after the other, as they are chosen. */
    void runAll(Choice next) {
        Turn homeBefore = home;
        Choice choiceBefore = choice;
        Task lowestBefore = lowest;
        choice = next;
        if (lowestBefore != null) {
            home = Objects.requireNonNull(lowestBefore.worker).turn;
        }
        Task first = choose();
        if (first != null) {
            Turn back = home;
            give(first);
            back.await();
        }
        home = homeBefore;
        choice = choiceBefore;
        lowest = lowestBefore;
        current = null;
        Throwable failed = failure;
        if (failed != null && lowest == null) {
            failure = null;
            throw new IllegalStateException("A simulated task, or the choice of one, failed", failed);
        }
    }

    /** Ends a task at the place where it is paused; one that is choosing ends when it has chosen. */
    void kill(Task task) {
        task.killed = true;
        if (task.worker == null) {
            task.ended = true;
        } else if (!task.ended && task != lowest) {
            run(task, 0);
        }
    }

    /** Called by a task where it may be paused; does nothing when called by whoever chooses. */
    void pause() {
        Task task = current;
        if (task == null) {
            return;
        }
        if (!task.killed && task.pausesPassed > 0) {
            task.pausesPassed--;
            return;
        }
        yieldNow();
    }

    /** Called by a task that has to wait for others. */
    void yieldNow() {
        Task task = Objects.requireNonNull(current);
        if (!task.killed) {
            Task next = choose();
            if (task.killed) {
                lastChoice = new LastChoice(next);
            } else if (next != task) {
                give(next);
                Objects.requireNonNull(task.worker).turn.await();
            }
            current = task;
            lowest = task;
        }
        if (task.killed) {
            throw new Killed();
        }
    }

    private @Nullable Task choose() {
        current = null;
        if (failure != null) {
            return null;
        }
        try {
            return choice.next();
        } catch (RuntimeException | Error e) {
            failure = e;
            return null;
        }
    }

    /** Gives control to a task, or to whoever asked for tasks to go on. */
    private void give(@Nullable Task next) {
        if (next == null) {
            home.give();
            return;
        }
        Worker worker = next.worker;
        if (worker == null) {
            worker = idle.isEmpty() ? new Worker() : idle.pop();
            begin(next, worker);
        }
        current = next;
        lowest = next;
        worker.turn.give();
    }

    private void begin(Task next, Worker worker) {
        next.worker = worker;
        worker.task = next;
        current = next;
        lowest = next;
    }

    @Override
    public void close() {
        for (Worker worker : idle) {
            worker.task = null;
            worker.turn.give();
        }
    }
}
