package io.leasehold.torture;

import io.leasehold.Lease;
import io.leasehold.LeaseListener;
import io.leasehold.NotHolderException;
import io.leasehold.SurrenderReason;
import io.leasehold.state.StateFenceException;
import io.leasehold.state.StateStoreException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Work as an application would do it: it handles numbered events while it leads, asks before each whether it does, and
 * commits how far it has come after every few. Safe for use by several threads.
 */
final class EventWork implements LeaseListener {
    private static final int EVENTS_A_COMMIT = 4;
    private static final long EVENT_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final int EVENTS_A_LONG_ONE = 10;
    private static final long LONG_EVENT_NS = TimeUnit.MILLISECONDS.toNanos(90);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final History history;
    private final HeldWatch watch;
    private final Map<Long, Thread> working = new ConcurrentHashMap<>();
    private final AtomicInteger unpaired = new AtomicInteger();

    EventWork(History history, HeldWatch watch) {
        this.history = history;
        this.watch = watch;
    }

    @Override
    public void onAcquired(Lease lease) {
        unpaired.incrementAndGet();
        Map<String, String> found;
        try {
            found = lease.state().entries();
        } catch (NotHolderException e) {
            history.note(HistoryEvent.ACQUIRED, lease.epoch(), 0, Term.OVER_ALREADY);
            return;
        }
        history.note(HistoryEvent.ACQUIRED, lease.epoch(), 0, Progress.word(found));
        watch.add(lease);
        String count = found.get(Progress.COUNT);
        long next = count == null ? 1 : Progress.parse(count).number() + 1;
        Thread thread = new Thread(() -> work(lease, next), "work-" + lease.epoch());
        thread.setDaemon(true);
        working.put(lease.epoch(), thread);
        thread.start();
    }

    /** A commit that hangs in the store is not waited for longer than the term lasts. */
    @Override
    public void onSurrendered(Lease lease, SurrenderReason reason) {
        history.note(HistoryEvent.SURRENDERED, lease.epoch(), 0, reason.name());
        Thread thread = working.remove(lease.epoch());
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        history.note(HistoryEvent.STOPPED, lease.epoch(), 0, HistoryLine.NO_DETAIL);
        unpaired.decrementAndGet();
    }

    /** Waits until it was told of the end of every term: of one that ran out just before a close, that can be after it. */
    void awaitPairs(Duration most) {
        long untilNs = System.nanoTime() + most.toNanos();
        while (unpaired.get() != 0 && untilNs - System.nanoTime() > 0) {
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void work(Lease lease, long first) {
        for (long number = first; !lease.isSurrendering(); number++) {
            if (!handle(lease, number)) {
                return;
            }
            if (number % EVENTS_A_COMMIT == 0 && !commit(lease, number)) {
                return;
            }
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private boolean handle(Lease lease, long number) {
        if (!watch.isHeld(lease)) {
            return false;
        }
        long fromNs = System.nanoTime();
        LockSupport.parkNanos(number % EVENTS_A_LONG_ONE == 0 ? LONG_EVENT_NS : EVENT_NS);
        history.note(new HistoryLine(
                fromNs, System.nanoTime(), HistoryEvent.HANDLED, lease.epoch(), number, HistoryLine.NO_DETAIL));
        return watch.isHeld(lease);
    }

    /** False where the term is over; after an unknown outcome the next commit settles it. */
    private boolean commit(Lease lease, long number) {
        Progress progress = new Progress(lease.epoch(), number);
        history.note(HistoryEvent.COMMITTING, lease.epoch(), number, HistoryLine.NO_DETAIL);
        long fromNs = System.nanoTime();
        HistoryEvent event = HistoryEvent.REFUSED;
        String detail = HistoryLine.NO_DETAIL;
        boolean goOn = false;
        try {
            lease.state().commit(progress.entries());
            event = HistoryEvent.ACKNOWLEDGED;
            goOn = true;
        } catch (StateFenceException e) {
            detail = "FENCED";
        } catch (NotHolderException e) {
            detail = "NOT_HELD";
        } catch (StateStoreException e) {
            detail = "UNKNOWN";
            goOn = true;
        }
        history.note(new HistoryLine(fromNs, System.nanoTime(), event, lease.epoch(), number, detail));
        return goOn;
    }
}
