package io.leasehold.torture;

import io.leasehold.Lease;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks every millisecond whether a term is held, and writes down each answer with the time before the question and the time
 * after it: what the process would have let its work do, whatever its work really did. It goes on asking terms that have
 * ended, which must not come back to life. Safe for use by several threads.
 */
final class HeldWatch {
    private static final int WATCHED = 3;
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final class Watched {
        private final Lease lease;
        private boolean over;

        Watched(Lease lease) {
            this.lease = lease;
        }
    }

    private final History history;
    private final Deque<Watched> terms = new ConcurrentLinkedDeque<>();

    HeldWatch(History history) {
        this.history = history;
    }

    void begin() {
        Thread thread = new Thread(this::run, "held-watch");
        thread.setDaemon(true);
        thread.start();
    }

    void add(Lease lease) {
        isHeld(lease);
        terms.addFirst(new Watched(lease));
        while (terms.size() > WATCHED) {
            terms.removeLast();
        }
    }

    /** Asks, and writes a true answer down. */
    boolean isHeld(Lease lease) {
        long fromNs = System.nanoTime();
        boolean held = lease.isHeld();
        if (held) {
            note(fromNs, HistoryEvent.HELD, lease);
        }
        return held;
    }

    private void note(long fromNs, HistoryEvent event, Lease lease) {
        history.note(new HistoryLine(fromNs, System.nanoTime(), event, lease.epoch(), 0, HistoryLine.NO_DETAIL));
    }

    private void run() {
        for (; ; ) {
            try {
                terms.forEach(this::ask);
            } catch (OutOfMemoryError nothingCanBeNotedNow) {
                LockSupport.parkNanos(INTERVAL_NS);
            }
            LockSupport.parkNanos(INTERVAL_NS);
        }
    }

    private void ask(Watched term) {
        long fromNs = System.nanoTime();
        if (!isHeld(term.lease) && !term.over) {
            term.over = true;
            note(fromNs, HistoryEvent.OVER, term.lease);
        }
    }
}
