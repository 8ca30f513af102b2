package io.leasehold.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of changes in directories, for all leases of this process with one thread, which exists while a directory is
 * watched. Only a hint: changes made by other hosts are not seen on network file systems.
 */
final class DirectoryWatcher {
    private record Subscriber(Predicate<String> names, Runnable onChange) {}

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryWatcher.class);

    private static @Nullable DirectoryWatcher shared;

    private final WatchService service;
    private final Map<WatchKey, List<Subscriber>> subscribers = new ConcurrentHashMap<>();

    private DirectoryWatcher(WatchService service) {
        this.service = service;
    }

    /** Calls back when a file with one of the names changes; never calls where the directory cannot be watched. */
    static synchronized Closeable watch(Path directory, Predicate<String> names, Runnable onChange) {
        try {
            if (shared == null) {
                shared = new DirectoryWatcher(directory.getFileSystem().newWatchService());
                Thread thread = new Thread(shared::run, "lease-watcher");
                thread.setDaemon(true);
                thread.start();
            }
            return shared.subscribe(directory, new Subscriber(names, onChange));
        } catch (IOException | UnsupportedOperationException e) {
            LOG.info("{} cannot be watched; it is looked at every renew interval", directory, e);
            if (shared != null) {
                shared.endIfUnused();
            }
            return () -> {};
        }
    }

    private Closeable subscribe(Path directory, Subscriber subscriber) throws IOException {
        WatchKey key =
                directory.register(service, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
        subscribers.computeIfAbsent(key, k -> new CopyOnWriteArrayList<>()).add(subscriber);
        return () -> unsubscribe(this, key, subscriber);
    }

    private static synchronized void unsubscribe(DirectoryWatcher watcher, WatchKey key, Subscriber subscriber) {
        List<Subscriber> left = watcher.subscribers.get(key);
        if (left == null || !left.remove(subscriber)) {
            return;
        }
        if (left.isEmpty()) {
            watcher.subscribers.remove(key);
            key.cancel();
        }
        watcher.endIfUnused();
    }

    /** Ends the thread once nothing is watched; called with the lock of the class. */
    private void endIfUnused() {
        if (!subscribers.isEmpty()) {
            return;
        }
        shared = null;
        try {
            service.close();
        } catch (IOException e) {
            LOG.warn("A watch that is no longer used could not be closed", e);
        }
    }

    private void run() {
        try {
            for (; ; ) {
                WatchKey key = take();
                List<WatchEvent<?>> events = key.pollEvents();
                for (Subscriber subscriber : subscribers.getOrDefault(key, List.of())) {
                    if (events.stream().anyMatch(event -> concerns(event, subscriber))) {
                        tell(subscriber);
                    }
                }
                key.reset();
            }
        } catch (ClosedWatchServiceException e) {
            LOG.debug("Nothing is watched any more");
        }
    }

    /** This thread ends with the service only: an interrupt by a stranger would leave all leases without notices. */
    private WatchKey take() {
        for (; ; ) {
            try {
                return service.take();
            } catch (InterruptedException e) {
                LOG.debug("An interrupt does not end the watch", e);
            }
        }
    }

    /** One subscriber's failure does not end the watch of the others. */
    private static void tell(Subscriber subscriber) {
        try {
            subscriber.onChange.run();
        } catch (RuntimeException e) {
            LOG.warn("A notice of a changed directory failed; the directory is looked at every renew interval", e);
        }
    }

    private static boolean concerns(WatchEvent<?> event, Subscriber subscriber) {
        return event.kind() == StandardWatchEventKinds.OVERFLOW
                || (event.context() instanceof Path name && subscriber.names.test(name.toString()));
    }
}
