package io.leasehold;

import io.leasehold.store.LeaseStore;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One election's notices of changes in its store. A store may hang here as anywhere else, so each attempt to get them runs on
 * a worker, and no step waits for it: without notices the lease is looked at every renew interval. An attempt that fails is
 * made again after a ttl, because it may take as long as a renew interval. Safe for use by several threads.
 */
final class StoreWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);

    private final LeaseStore store;
    private final LeaseClock clock;
    private final LeaseThreads threads;
    private final long ttlNs;
    private final Runnable onChange;
    private @Nullable Closeable watch;
    private boolean opening;
    private boolean failed;
    private long againAtNs;
    private @Nullable Runnable whenClosed;

    /**
     * Notices that are not yet asked for.
     *
     * @param onChange returns at once
     */
    StoreWatch(LeaseContext context, LeaseThreads threads, Runnable onChange) {
        this.store = context.store();
        this.clock = context.clock();
        this.ttlNs = context.settings().ttl().toNanos();
        this.threads = threads;
        this.onChange = onChange;
    }

    /** Begins an attempt where there is no watch and one is due. Returns at once. */
    synchronized void keep() {
        long nowNs = clock.nanoTime();
        if (watch != null || opening || whenClosed != null || (failed && againAtNs - nowNs > 0)) {
            return;
        }
        againAtNs = nowNs + ttlNs;
        opening = true;
        threads.execute(this::open);
    }

    private void open() {
        Closeable opened = null;
        try {
            opened = store.watch(onChange);
        } catch (RuntimeException | Error e) {
            if (!failed) {
                LOG.warn(
                        "{} cannot be watched yet; until then it is looked at every renew interval",
                        store.location(),
                        e);
            }
        } finally {
            opened(opened);
        }
    }

    /** What changed before the watch began is news too. */
    private void opened(@Nullable Closeable opened) {
        Runnable closed;
        synchronized (this) {
            opening = false;
            failed |= opened == null;
            watch = opened;
            closed = whenClosed;
        }
        if (closed != null) {
            end(closed);
        } else if (opened != null) {
            onChange.run();
        }
    }

    /**
     * Asks for no more notices.
     *
     * @param closed called once no watch is open any more, and none is being opened
     */
    void close(Runnable closed) {
        synchronized (this) {
            whenClosed = closed;
            if (opening) {
                return;
            }
        }
        end(closed);
    }

    private void end(Runnable closed) {
        try {
            if (watch != null) {
                watch.close();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("The watch of {} could not be closed", store.location(), e);
        } finally {
            closed.run();
        }
    }
}
