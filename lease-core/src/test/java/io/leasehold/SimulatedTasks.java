package io.leasehold;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on threads of their own, exactly one at a time: a task goes on when it is told to, until it pauses or ends. So
 * a whole history is a function of its seed. The threads are used again. Used by one thread, apart from {@link #pause()}.
 */
final class SimulatedTasks implements AutoCloseable {
    /** Unwinds the task of a process that has crashed. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
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
                try {
                    begun.body.run();
                } catch (Killed e) {
                    begun.killed = true;
                } finally {
                    begun.ended = true;
                    scheduler.give();
                }
            }
        }
    }

    private final Turn scheduler = new Turn(Thread.currentThread());
    private final Deque<Worker> idle = new ArrayDeque<>();
    private @Nullable Task current;

    /** The task that runs now; null while the scheduler does. */
    @Nullable
    Task current() {
        return current;
    }

    /** Lets a task go on until it ends or pauses once more than it may pass. */
    void run(Task task, int pausesPassed) {
        Worker worker = task.worker;
        if (worker == null) {
            worker = idle.isEmpty() ? new Worker() : idle.pop();
            worker.task = task;
            task.worker = worker;
        }
        task.pausesPassed = pausesPassed;
        current = task;
        worker.turn.give();
        scheduler.await();
        current = null;
        if (task.ended) {
            idle.push(worker);
        }
    }

    /** Ends a task at the place where it is paused. */
    void kill(Task task) {
        task.killed = true;
        if (task.worker == null) {
            task.ended = true;
        } else if (!task.ended) {
            run(task, 0);
        }
    }

    /** Called by a task where it may be paused; does nothing when called by the scheduler. */
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
            scheduler.give();
            Objects.requireNonNull(task.worker).turn.await();
        }
        if (task.killed) {
            throw new Killed();
        }
    }

    @Override
    public void close() {
        for (Worker worker : idle) {
            worker.task = null;
            worker.turn.give();
        }
    }
}
