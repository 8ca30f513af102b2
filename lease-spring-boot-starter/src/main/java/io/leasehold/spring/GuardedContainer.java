package io.leasehold.spring;

import org.springframework.context.SmartLifecycle;

/** A container with a guard in front of its listener: what the technologies have in common. */
abstract class GuardedContainer<C extends SmartLifecycle> implements ListenerContainer {
    final String name;
    final C container;
    final MessageGuard guard;

    GuardedContainer(String name, C container, MessageGuard guard) {
        this.name = name;
        this.container = container;
        this.guard = guard;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public boolean startsByItself() {
        return container.isAutoStartup();
    }

    @Override
    public boolean isRunning() {
        return container.isRunning();
    }

    /** Whatever it has begun is undone where it fails: many would pass for running without a consumer. */
    @Override
    public void start() {
        try {
            container.start();
        } catch (RuntimeException e) {
            try {
                container.stop();
            } catch (RuntimeException stop) {
                e.addSuppressed(stop);
            }
            throw e;
        }
    }

    /** Not by the container's own callback, which many drop or do not call when they have stopped already. */
    @Override
    public void stop(Runnable whenStopped) {
        container.stop();
        awaitQuiet();
        whenStopped.run();
    }

    @Override
    public int inFlight() {
        return guard.inFlight();
    }
}
