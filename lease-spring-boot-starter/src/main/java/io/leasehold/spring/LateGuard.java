package io.leasehold.spring;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The place for a guard in something that is made before it is known whether it follows a lease. Until then, and for ever if
 * it does not, it lets everything through.
 */
final class LateGuard {
    private final AtomicReference<@Nullable Place> place = new AtomicReference<>();

    /** Once and for all. */
    void set(ListenerContainer container, MessageGuard guard) {
        place.compareAndSet(null, new Place(container, guard));
    }

    boolean isSet() {
        return place.get() != null;
    }

    /** Handles a message, or drops it. */
    void handleOrDrop(Runnable handling) {
        Place current = place.get();
        if (current == null) {
            handling.run();
        } else if (current.guard.tryEnter(current.container)) {
            handleAndLeave(current, handling);
        }
    }

    /**
     * Handles a message.
     *
     * @throws io.leasehold.NotHolderException when it must not be handled
     */
    void handleOrRefuse(Runnable handling) {
        Place current = place.get();
        if (current == null) {
            handling.run();
        } else {
            current.guard.enter(current.container);
            handleAndLeave(current, handling);
        }
    }

    private static void handleAndLeave(Place current, Runnable handling) {
        try {
            handling.run();
        } finally {
            current.guard.leave();
        }
    }

    private record Place(ListenerContainer container, MessageGuard guard) {}
}
